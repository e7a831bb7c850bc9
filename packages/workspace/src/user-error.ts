/** A problem, for the person who can correct it. */
interface UserProblem {
  readonly expected: string
  readonly got: string
  /** The advice, as a sentence without its full stop. */
  readonly advice: string
}

/** A mistake that a person can correct: in how something was asked for, or in the data that was given. */
export class UserError extends Error {
  readonly code: 'usage' | 'data'

  /** A string is a complete message. */
  constructor(code: 'usage' | 'data', problem: UserProblem | string) {
    super(withoutFullStop(typeof problem === 'string' ? problem : print(problem)))
    this.name = 'UserError'
    this.code = code
  }
}

/** A line of output ends without a full stop, and so does an error in the command's output. */
function withoutFullStop(message: string): string {
  return /[^.]\.$/.test(message) ? message.slice(0, -1) : message
}

function print({ expected, got, advice }: UserProblem): string {
  return `expected ${expected}, got ${got}: ${advice}`
}
