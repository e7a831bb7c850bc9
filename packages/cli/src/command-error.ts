/** What went wrong, for the person at the keyboard. */
export interface Complaint {
  readonly expected: string
  readonly got: string
  /** What to do about it, as a sentence without its full stop. */
  readonly advice: string
}

/** A mistake of the caller: in how the command was used, or in the data it was given. */
export class CommandError extends Error {
  readonly code: 'usage' | 'data'

  constructor(code: 'usage' | 'data', { expected, got, advice }: Complaint) {
    super(`expected ${expected}, got ${got}: ${advice}`)
    this.name = 'CommandError'
    this.code = code
  }
}
