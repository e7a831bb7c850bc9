/** A folder of one's own, for what outlives a call. */
export interface Storage {
  /** An absolute path, which exists, and which no one else can read. */
  readonly folder: string
}
