/** A person denied a call and stopped the run with it. */
export class StoppedByUser extends Error {
  constructor(reason = 'The user stopped the run.') {
    super(reason)
    this.name = 'Stopped'
  }
}
