import type { GrepMatch } from './collect-matches.ts'

/** What Grep returns, in the requested output mode. */
export type GrepResult = (
  | { readonly output_mode: 'content'; readonly matches: readonly GrepMatch[] }
  | { readonly output_mode: 'files_with_matches'; readonly files: readonly string[] }
  | {
      readonly output_mode: 'count'
      readonly counts: readonly { readonly file: string; readonly count: number }[]
    }
) &
  GrepTotals

/** The part of a Grep result that is the same in every output mode. */
export interface GrepTotals {
  /** Number of all matching lines, or of all matches with `-o`, however many are shown. */
  readonly total_matches: number
  readonly total_files: number
  /** Whether there are more after those shown. */
  readonly truncated: boolean
  /** The offset to continue from. */
  readonly next_offset?: number
  /** The file or folder that was searched. */
  readonly path: string
  /** The search was stopped: there may be more matches. */
  readonly timed_out?: true
  /** Files that could not be searched, and why. */
  readonly problems?: readonly string[]
  /** Files that match and are not text. */
  readonly binary_files?: readonly string[]
}

/** Renders a result for the model. */
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
      : [`showing ${offset + 1}-${next_offset} of ${all}; use offset: ${next_offset} to continue`]),
    ...(timed_out ? ['the search timed out; narrow path or glob'] : []),
    ...(result.binary_files ?? []).map((file) => `${file} matches, but is not a text file`),
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

/** Renders matches by file: `12: text` for a match, `11- text` for the lines around it. */
function showMatches(
  matches: readonly GrepMatch[],
  { numbers }: { readonly numbers: boolean },
): string[] {
  const lines: string[] = []
  let file: string | undefined
  let next = 0
  const hasContext = matches.some(({ before, after }) => before ?? after)
  for (const { line_number, content, before = [], after = [], ...match } of matches) {
    const from = line_number - before.length
    if (match.file !== file) {
      if (file !== undefined) lines.push('')
      lines.push(match.file)
      file = match.file
    } else if (hasContext && from > next) lines.push('--')
    before.forEach((text, index) => lines.push(line(from + index, '-', text)))
    lines.push(line(line_number, ':', content))
    after.forEach((text, index) => lines.push(line(line_number + 1 + index, '-', text)))
    next = line_number + 1 + after.length
  }
  return lines

  function line(number: number, mark: string, text: string): string {
    return numbers ? `${number}${mark} ${text}` : text
  }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
