/** Ends a command that has said all it had to say, with a code of its own. */
export class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}
