/** The limits of a run. Times are in milliseconds; undefined means no limit. */
export interface Limits {
  /** The maximum number of turns. */
  readonly maxIterations: number
  readonly maxToolCalls: number
  /** The maximum number of calls to run per turn. The rest are reported to the model as not run. */
  readonly maxCallsPerTurn: number
  /** The number of consecutive turns with malformed or cut-off calls that ends the run. */
  readonly maxMalformed: number
  /** The maximum number of consecutive empty replies. */
  readonly maxEmpty: number
  /** The number of consecutive repeated calls that ends the run. */
  readonly maxRepeats: number
  /** The maximum number of retries of a request after a transient error. */
  readonly maxRetries: number
  readonly runTimeout: number | undefined
  /** The maximum time for a whole reply, from the request to its end. */
  readonly modelTimeout: number | undefined
  /**
   * The maximum time without output in the middle of a reply. There is no limit before the first
   * chunk, because reading a prompt may take long.
   */
  readonly idleTimeout: number
  readonly toolTimeout: number
  /** The maximum time to wait for an approval. After that, the call is denied. */
  readonly approvalTimeout: number | undefined
  /** The maximum number of tokens in all turns together. */
  readonly maxTokens: number | undefined
  /** The maximum cost of all turns together, in the currency of the model's price. */
  readonly maxCost: number | undefined
  /** The maximum length of a reply, in characters. */
  readonly maxReply: number
  /** The maximum length of a result, in characters. The model can read the rest with `ReadMore`. */
  readonly maxResult: number
}

/** The default limits of a run. */
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
 * The maximum length of a result for a model with this context size: between a quarter and a third
 * of the context, since a token has three to four characters.
 */
export function maxResultFor(contextTokens: number | undefined): number {
  return Math.min(defaultLimits.maxResult, Math.max(contextTokens ?? Infinity, MIN_RESULT))
}

const MIN_RESULT = 1000
