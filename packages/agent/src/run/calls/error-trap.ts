/**
 * Lets through what is no failure of a tool, such as that nothing can be recorded or that the run is stopped: it ends more
 * than the call. `check` throws it, once the tool's own failures were dealt with.
 */
export function createErrorTrap(): {
  <Arguments extends unknown[], Value>(
    work: (...args: Arguments) => Promise<Value>,
  ): (...args: Arguments) => Promise<Value>
  check(): void
} {
  let escaped: { error: unknown } | undefined
  const passing =
    <Arguments extends unknown[], Value>(
      work: (...args: Arguments) => Promise<Value>,
    ): ((...args: Arguments) => Promise<Value>) =>
    (...args) =>
      work(...args).catch((error: unknown) => {
        escaped ??= { error }
        throw error
      })
  const check = (): void => {
    if (escaped) throw escaped.error
  }
  return Object.assign(passing, { check })
}
