/** The run stops here without an end, so that it can be continued: it was released, or waits for a person. */
export class Paused extends Error {
  readonly why: 'released' | 'suspended'

  constructor(why: Paused['why']) {
    super(`The run was ${why}.`)
    this.name = 'Paused'
    this.why = why
  }
}
