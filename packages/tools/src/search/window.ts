/** The part of a long list of matches that is shown: which files it touches, and where it begins in the first. */
export interface Window {
  readonly files: readonly string[]
  /** Matches of the first file that come before it. */
  readonly skip: number
}

/** Where the matches from `offset` on lie, as many as `most`. */
export function windowOf(
  counts: readonly (readonly [name: string, matches: number])[],
  offset: number,
  most: number,
): Window {
  const files: string[] = []
  let skip = 0
  let before = 0
  for (const [name, matches] of counts) {
    if (before >= offset + most) break
    if (before + matches > offset) {
      if (files.length === 0) skip = offset - before
      files.push(name)
    }
    before += matches
  }
  return { files, skip }
}
