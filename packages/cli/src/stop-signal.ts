/** A signal that aborts on SIGINT, SIGTERM or SIGHUP, so that running tools can be stopped before the process exits. */
export function createStopSignal(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.once(name, abort)
  return {
    signal: controller.signal,
    forget: () => signals.forEach((name) => process.removeListener(name, abort)),
  }
}
