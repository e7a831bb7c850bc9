import type { Match } from './collect-matches.ts'
import { showMatches } from './show-matches.ts'

/** What was found, as it was asked for. */
export type GrepResult = (
  | { readonly output_mode: 'content'; readonly matches: readonly Match[] }
  | { readonly output_mode: 'files_with_matches'; readonly files: readonly string[] }
  | {
      readonly output_mode: 'count'
      readonly counts: readonly { readonly file: string; readonly count: number }[]
    }
) &
  GrepTotals

export interface GrepTotals {
  /** All lines that match, or all matches with `-o`, however many are shown. */
  readonly total_matches: number
  readonly total_files: number
  /** More comes behind what is shown; and where to read on. */
  readonly truncated: boolean
  readonly next_offset?: number
  /** The file or folder that was searched. */
  readonly path: string
  /** It was stopped: there may be more. */
  readonly timed_out?: true
  /** What could not be searched. */
  readonly problems?: readonly string[]
  /** Files that match and are no text. */
  readonly binary_files?: readonly string[]
}

/** A result as a model reads it. */
export function showGrep(
  result: GrepResult,
  { numbers, offset = 0 }: { readonly numbers: boolean; readonly offset?: number | undefined },
): string {
  const { total_matches, total_files, next_offset, timed_out, problems = [] } = result
  const entries = entriesOf(result)
  const all = result.output_mode === 'content' ? total_matches : total_files
  const notes = [
    ...(total_matches > 0
      ? [`${plural(total_matches, 'match', 'matches')} in ${plural(total_files, 'file', 'files')}`]
      : []),
    ...(total_matches > 0 && entries.count === 0
      ? [`nothing at offset ${offset}: there are ${all}`]
      : []),
    ...(next_offset === undefined
      ? []
      : [`shown are ${offset + 1}-${next_offset} of ${all}; offset: ${next_offset} reads on`]),
    ...(timed_out ? ['the search took too long and was stopped: narrow path or glob'] : []),
    ...(result.binary_files ?? []).map((file) => `${file} matches and is no text`),
    ...problems.map((problem) => `not searched: ${problem}`),
  ]
  return [
    ...(total_matches === 0 ? ['No matches found.'] : entries.lines(numbers)),
    ...notes.map((note) => `(${note})`),
  ].join('\n')
}

function entriesOf(result: GrepResult): {
  readonly count: number
  lines(numbers: boolean): string[]
} {
  switch (result.output_mode) {
    case 'content': {
      const { matches } = result
      return { count: matches.length, lines: (numbers) => showMatches(matches, { numbers }) }
    }
    case 'files_with_matches':
      return { count: result.files.length, lines: () => [...result.files] }
    case 'count': {
      const lines = result.counts.map(({ file, count }) => `${file}: ${count}`)
      return { count: lines.length, lines: () => lines }
    }
  }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
