import { describeThrown } from '@toolglot/agent/internal'
import { visibleLine } from '@toolglot/workspace/internal'
import { type Terminal, warn } from './terminal.ts'

/** A signal that aborts on SIGINT, SIGTERM or SIGHUP, so that running tools can be stopped before the process exits. */
export function createStopSignal(
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  // A second Ctrl-C or SIGTERM kills. A closing terminal may send SIGHUP several times, so repeated
  // ones are ignored.
  for (const name of signals) {
    if (name === 'SIGHUP') process.on(name, abort)
    else process.once(name, abort)
  }
  return {
    signal: controller.signal,
    forget: () => signals.forEach((name) => process.removeListener(name, abort)),
  }
}

/** Waits until a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
}

/**
 * Warns about unhandled rejections from tools, which must not end the process. Each failure is
 * reported once.
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
