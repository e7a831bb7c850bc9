/** The limits of a run. Times are in milliseconds; undefined means no limit. */
export interface Limits {
  /** The maximum number of turns. */
  readonly maxIterations: number
  readonly maxToolCalls: number
  /** The number of calls run per turn; the model learns that the rest were not run. */
  readonly maxCallsPerTurn: number
  /** The number of consecutive turns with malformed or cut-off calls after which the run ends. */
  readonly maxMalformed: number
  /** The number of consecutive empty replies that are accepted. */
  readonly maxEmpty: number
  /** The number of consecutive repeated calls that end the run. */
  readonly maxRepeats: number
  /** The number of retries of a request after a transient error. */
  readonly maxRetries: number
  readonly runTimeout: number | undefined
  /** The longest time for a whole reply, from the request to its end. */
  readonly modelTimeout: number | undefined
  /** The longest silence in the middle of a reply. Before its first chunk, the model may read the prompt as long as it takes. */
  readonly idleTimeout: number
  readonly toolTimeout: number
  /** A call that is not approved within this time is denied. */
  readonly approvalTimeout: number | undefined
  /** The tokens of all turns together. */
  readonly maxTokens: number | undefined
  /** The cost of all turns together, in the currency of the model's price. */
  readonly maxCost: number | undefined
  /** The maximum length of a reply, in characters. */
  readonly maxReply: number
  /** The maximum length of a result, in characters; the rest of it can be read with `ReadMore`. */
  readonly maxResult: number
}

/** The limits of a run that sets none. */
export const defaultLimits: Limits = {
  maxIterations: 25,
  maxToolCalls: 100,
  maxCallsPerTurn: 16,
  maxMalformed: 3,
  maxEmpty: 2,
  maxRepeats: 3,
  maxRetries: 4,
  runTimeout: undefined,
  modelTimeout: undefined,
  idleTimeout: 60_000,
  toolTimeout: 120_000,
  approvalTimeout: undefined,
  maxTokens: undefined,
  maxCost: undefined,
  maxReply: 2 << 20,
  maxResult: 50_000,
}

/**
 * The maximum length of a result for a model with so many tokens of context: a quarter or a third of it, since a token has
 * three or four characters.
 */
export function maxResultFor(contextTokens: number | undefined): number {
  return Math.min(defaultLimits.maxResult, Math.max(contextTokens ?? Infinity, MIN_RESULT))
}

const MIN_RESULT = 1000
