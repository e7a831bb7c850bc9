/** The parts of an error message: `expected X, got Y: do Z`. */
export interface ErrorParts {
  readonly expected: string
  readonly got: string
  /** What to do about it, as a sentence without a full stop. */
  readonly advice: string
}

/** A mistake in how the command was used, or in the data it was given. */
export class CommandError extends Error {
  readonly code: 'usage' | 'data'

  /** A string is used as the whole message. */
  constructor(code: 'usage' | 'data', message: ErrorParts | string) {
    super(typeof message === 'string' ? message : format(message))
    this.name = 'CommandError'
    this.code = code
  }
}

function format({ expected, got, advice }: ErrorParts): string {
  return `expected ${expected}, got ${got}: ${advice}`
}
