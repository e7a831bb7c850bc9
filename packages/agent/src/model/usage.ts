/** What a reply took, in tokens. */
export interface Usage {
  readonly input: number
  readonly output: number
  /** Of `input`, what was not read anew. */
  readonly cached?: number
  /** Of `output`, what was thought. */
  readonly reasoning?: number
  /** Nobody counted: these are guesses. */
  readonly estimated?: true
  /** In the currency of the model's price. */
  readonly cost?: number
}

/** What a million tokens cost. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly currency: string
}
