/** A place in a text, and what is put there. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** A change that is looked for: both texts have plain line ends. */
export interface Wanted {
  readonly old: string
  readonly replacement: string
}

/** The first two places at most: the second one says that the first is not meant. */
export type Matcher = (text: string, wanted: Wanted) => Match[]
