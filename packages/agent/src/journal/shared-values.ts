/** Values that servers share besides runs, such as the digests of tokens: JSON by key, each kind in its own space. */
export interface SharedValues {
  /** The value under a key; undefined if there is none, or no longer. */
  get(space: string, key: string, options?: GetValueOptions): Promise<unknown>
  /** Adds a value. False if there is one under this key. */
  add(space: string, key: string, value: unknown, options?: AddValueOptions): Promise<boolean>
  /** Removes a value. Of several who do so at once, one gets true. */
  remove(space: string, key: string): Promise<boolean>
  /** The values of a space, by key. */
  list(space: string): Promise<ReadonlyMap<string, unknown>>
  /** Removes all values of a space. */
  clear(space: string): Promise<void>
}

/** Which value is read. */
export interface GetValueOptions {
  /** Whose it is. Default: nobody's. */
  readonly owner?: string
  /** Keeps it for so many milliseconds from now on. */
  readonly renew?: number
}

/** How a value is kept. */
export interface AddValueOptions {
  /** Whose it is. Default: nobody's. */
  readonly owner?: string
  /** In milliseconds. Default: for good. */
  readonly lifetime?: number
  /** How many values of its owner are kept in this space, and how many characters: those that were used last. */
  readonly limits?: { readonly count: number; readonly size: number }
}
