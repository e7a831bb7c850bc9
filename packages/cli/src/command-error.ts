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

  /** A text is a whole complaint already. */
  constructor(code: 'usage' | 'data', complaint: Complaint | string) {
    super(typeof complaint === 'string' ? complaint : show(complaint))
    this.name = 'CommandError'
    this.code = code
  }
}

function show({ expected, got, advice }: Complaint): string {
  return `expected ${expected}, got ${got}: ${advice}`
}
