/** A range of a text and its replacement. */
export interface EditMatch {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** A requested edit; both texts have LF line ends. */
export interface WantedEdit {
  readonly old: string
  readonly replacement: string
}

/** Finds the first two matches at most: a second one shows that the edit is ambiguous. */
export type Matcher = (text: string, wanted: WantedEdit) => EditMatch[]
