/** A person said no, and that the run ends with it. */
export class StoppedByUser extends Error {
  constructor(reason = 'The user stopped the run.') {
    super(reason)
    this.name = 'Stopped'
  }
}
