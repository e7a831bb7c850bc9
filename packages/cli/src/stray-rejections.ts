import { describeThrown } from '@toolglot/agent/internal'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Terminal } from './terminal.ts'
import { warn } from './warn.ts'

/**
 * A promise that a tool left behind, and that fails, does not end what others do: it is told, each failure once. What
 * the command itself waits for is not among these.
 */
export function tellStrayRejections(terminal: Terminal): { forget(): void } {
  const told = new Set<string>()
  const tell = (thrown: unknown): void => {
    const said = describeThrown(thrown)
    if (told.has(said) || told.size >= MAX) return
    told.add(said)
    const message = `something that a tool left behind has failed: ${said}`
    warn(visibleLine(message.slice(0, 500)), terminal)
  }
  process.on('unhandledRejection', tell)
  return { forget: () => void process.removeListener('unhandledRejection', tell) }
}

/** So many are told. */
const MAX = 20
