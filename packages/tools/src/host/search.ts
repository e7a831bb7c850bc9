/** Names and contents of many files. A place is an absolute path; names are relative to it, with `/`. */
export interface Search {
  /** The files below a folder, in no order. */
  names(folder: string, options: NamesOptions): Promise<FoundNames>
  /** When files were last changed, in milliseconds since 1970; 0 if that cannot be told. */
  times(files: readonly string[]): Promise<readonly number[]>
  /** How many lines match in each file that has any; the place may be one file, too. */
  count(place: string, query: TextQuery, options: CountOptions): Promise<FoundCounts>
  /** The matching lines of some files, file by file, with the lines around them. */
  lines(files: readonly string[], query: TextQuery, options: LinesOptions): Promise<SearchEnd>
}

/** What is searched for. */
export interface TextQuery {
  readonly pattern: string
  /** The pattern is plain text. */
  readonly fixed?: boolean
  readonly ignoreCase?: boolean
  /** A match may span lines; every line it touches counts. */
  readonly multiline?: boolean
  /** Each match counts and comes by itself, without the rest of its line. */
  readonly onlyMatches?: boolean
}

interface SearchLimits {
  readonly signal: AbortSignal
  /** In milliseconds. What was found by then is kept. */
  readonly timeout?: number
}

export interface NamesOptions extends SearchLimits {
  /** Globs for the last part of names. Files that fit none may be left out, to save time. */
  readonly endings?: readonly string[]
  /** What ignore files leave out comes, too. */
  readonly ignored?: boolean
}

export interface CountOptions extends SearchLimits {
  readonly endings?: readonly string[]
  /** A kind of file by the engine's own name for it, such as `ts`. */
  readonly type?: string
  /** Called for each file of a folder as it is found to match. */
  readonly onFile?: (name: string) => void
}

export interface LinesOptions extends SearchLimits {
  readonly before: number
  readonly after: number
  /** False: that was enough. */
  readonly onLine: (line: FoundLine) => boolean
}

export interface FoundLine {
  /** Its place in the list of files. */
  readonly file: number
  /** From 1. */
  readonly number: number
  /** Without its end. Of a very long line only the beginning comes. */
  readonly text: string
  /** Otherwise it only stands near a match. */
  readonly matches: boolean
}

export interface SearchEnd {
  readonly timedOut: boolean
  /** What could not be looked at. */
  readonly problems: readonly string[]
}

export interface FoundNames extends SearchEnd {
  /** The place without links. */
  readonly real: string
  readonly names: readonly string[]
}

export interface FoundCounts extends SearchEnd {
  readonly real: string
  /** The place is one file, whose name is empty. */
  readonly isFile: boolean
  readonly counts: readonly (readonly [name: string, lines: number])[]
  /** Files that match and are no text; they are not counted. */
  readonly binary: readonly string[]
}
