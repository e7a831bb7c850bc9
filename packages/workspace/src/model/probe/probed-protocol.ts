/** How well a model did one task in one dialect. */
export interface TaskResult {
  /** The name of the task. */
  readonly task: string
  /**
   * - `done`: the call was exact and written as asked, and its result was used
   * - `repaired`: the same, but the call had to be repaired
   * - `failed`: otherwise
   * - `skipped`: it was not asked, because nothing came of an easier task or the time was over
   */
  readonly outcome: 'done' | 'repaired' | 'failed' | 'skipped'
  /** Whether a call of the tool was found, right or wrong. */
  readonly called: boolean
  /** What went wrong, in words. */
  readonly problem?: string
  readonly repairs: readonly string[]
  /** In milliseconds. */
  readonly duration: number
  /** How many tokens the model wrote, maybe estimated. */
  readonly tokens: number
}

/** How well a model spoke one dialect. */
export interface ProbedProtocol {
  /** The id of the protocol, or `native`. */
  readonly protocol: string
  /** Whether it is what the model would be asked to write without a probe. */
  readonly isOwn: boolean
  readonly tasks: readonly TaskResult[]
}
