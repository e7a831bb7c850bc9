/** Searches the names and contents of many files. Paths are absolute; names are relative to them, with `/`. */
export interface Search {
  /** The files below a folder, in no particular order. */
  names(folder: string, options: NamesOptions): Promise<FoundNames>
  /** The modification times of files, in milliseconds since 1970; 0 if unknown. */
  times(files: readonly string[]): Promise<readonly number[]>
  /** The number of matching lines in each file with a match. The path may also be a single file. */
  count(place: string, query: TextQuery, options: CountOptions): Promise<FoundCounts>
  /** The matching lines of files, file by file, with lines of context. */
  lines(files: readonly string[], query: TextQuery, options: LinesOptions): Promise<SearchEnd>
}

/** A query for text in files. */
export interface TextQuery {
  readonly pattern: string
  /** The pattern is a literal string. */
  readonly fixed?: boolean
  readonly ignoreCase?: boolean
  /** A match may span several lines, each of which counts. */
  readonly multiline?: boolean
  /** Counts and reports each match separately, without the rest of its line. */
  readonly onlyMatches?: boolean
}

interface SearchLimits {
  readonly signal: AbortSignal
  /** The time limit in milliseconds. Results found by then are kept. */
  readonly timeout?: number
}

/** Options for `Search.names`. */
export interface NamesOptions extends SearchLimits {
  /** Globs for file names without folders. Other files may be skipped, to save time. */
  readonly endings?: readonly string[]
  /** Includes files that ignore files exclude. */
  readonly ignored?: boolean
}

/** Options for `Search.count`. */
export interface CountOptions extends SearchLimits {
  readonly endings?: readonly string[]
  /** A file type known to the search engine, such as `ts`. */
  readonly type?: string
  /** Called for each matching file in a folder as it is found. */
  readonly onFile?: (name: string) => void
}

/** Options for `Search.lines`. */
export interface LinesOptions extends SearchLimits {
  readonly before: number
  readonly after: number
  /** Return false to stop. */
  readonly onLine: (line: FoundLine) => boolean
}

/** A matching line or a line of context. */
export interface FoundLine {
  /** Index into the list of files. */
  readonly file: number
  /** The line number, starting at 1. */
  readonly number: number
  /** The line without its line break. Very long lines are truncated. */
  readonly text: string
  /** False for a line of context. */
  readonly matches: boolean
}

/** The end of a search. */
export interface SearchEnd {
  readonly timedOut: boolean
  /** Files that could not be searched, with reasons. */
  readonly problems: readonly string[]
}

/** The names of files in a folder. */
export interface FoundNames extends SearchEnd {
  /** The real path of the folder. */
  readonly real: string
  readonly names: readonly string[]
}

/** The number of matches per file. */
export interface FoundCounts extends SearchEnd {
  readonly real: string
  /** True if the path is a single file, whose name here is empty. */
  readonly isFile: boolean
  readonly counts: readonly (readonly [name: string, lines: number])[]
  /** Binary files that match; they are not counted. */
  readonly binary: readonly string[]
}
