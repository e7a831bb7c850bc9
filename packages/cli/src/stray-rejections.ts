import { describeThrown } from '@toolglot/agent/internal'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Terminal } from './terminal.ts'
import { warn } from './warn.ts'

/**
 * Warns about promises that a tool started, nobody awaited, and that rejected: they must not end the process. Each
 * failure is reported once.
 */
export function warnStrayRejections(terminal: Terminal): { forget(): void } {
  const reported = new Set<string>()
  const report = (thrown: unknown): void => {
    const description = describeThrown(thrown)
    if (reported.has(description) || reported.size >= MAX_WARNINGS) return
    reported.add(description)
    const message = `a tool's background work failed: ${description}`
    warn(visibleLine(message.slice(0, 500)), terminal)
  }
  process.on('unhandledRejection', report)
  return { forget: () => void process.removeListener('unhandledRejection', report) }
}

const MAX_WARNINGS = 20
