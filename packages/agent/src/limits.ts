/** How far a run may go. Times are in milliseconds; undefined is for ever. */
export interface Limits {
  /** How often the model is asked. */
  readonly maxIterations: number
  readonly maxToolCalls: number
  /** Calls of one turn that are run; the model is told of the others. */
  readonly maxCallsPerTurn: number
  /** Turns in a row with a call that could not be read, or a call cut off, before the run ends. */
  readonly maxMalformed: number
  /** Replies in a row without anything in them. */
  readonly maxEmpty: number
  /** How often a call is repeated before the run ends. */
  readonly maxRepeats: number
  /** How often a model is asked again after an error that may pass. */
  readonly maxRetries: number
  readonly runTimeout: number | undefined
  readonly modelTimeout: number
  /** Without a byte from the model; four times that before the first, while it reads the prompt. */
  readonly idleTimeout: number
  readonly toolTimeout: number
  /** Nobody answering in this time is a no. */
  readonly approvalTimeout: number | undefined
  /** Tokens of all turns together. */
  readonly maxTokens: number | undefined
  /** In the currency of the model's price. */
  readonly maxCost: number | undefined
  /** The longest reply, in characters. */
  readonly maxReply: number
  /** The longest result the model is told at once, in characters. */
  readonly maxResult: number
}

export const defaultLimits: Limits = {
  maxIterations: 25,
  maxToolCalls: 100,
  maxCallsPerTurn: 16,
  maxMalformed: 3,
  maxEmpty: 2,
  maxRepeats: 3,
  maxRetries: 4,
  runTimeout: undefined,
  modelTimeout: 300_000,
  idleTimeout: 60_000,
  toolTimeout: 120_000,
  approvalTimeout: undefined,
  maxTokens: undefined,
  maxCost: undefined,
  maxReply: 2 << 20,
  maxResult: 50_000,
}
