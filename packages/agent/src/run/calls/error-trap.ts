/** Remembers errors that must end the run although they pass through code that turns errors into tool failures. */
export interface ErrorTrap {
  /** Wraps a function so that the first error it throws is remembered, if it must end the run (default: every error). */
  wrap<Arguments extends unknown[], Value>(
    work: (...args: Arguments) => Promise<Value>,
    endsRun?: (error: unknown) => boolean,
  ): (...args: Arguments) => Promise<Value>
  /** Throws the error that was remembered, if any. */
  rethrow(): void
}

/** Creates a trap for errors that are not failures of a tool, such as a journal that cannot record or a stopped run. */
export function createErrorTrap(): ErrorTrap {
  let trapped: { readonly error: unknown } | undefined
  return {
    wrap:
      (work, endsRun = () => true) =>
      (...args) =>
        work(...args).catch((error: unknown) => {
          if (endsRun(error)) trapped ??= { error }
          throw error
        }),
    rethrow() {
      if (trapped) throw trapped.error
    },
  }
}
