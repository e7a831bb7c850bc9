/** A mistake that the user can correct: in the usage of a command, or in data. */
export class UserError extends Error {
  readonly code: 'usage' | 'data'

  constructor(code: 'usage' | 'data', message: string) {
    super(withoutFullStop(message))
    this.name = 'UserError'
    this.code = code
  }
}

/** Lines of output, including errors, end without a full stop. */
function withoutFullStop(message: string): string {
  return /[^.]\.$/.test(message) ? message.slice(0, -1) : message
}
