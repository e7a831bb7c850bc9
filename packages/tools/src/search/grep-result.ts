import type { FoundLine } from '../host/search.ts'

/** A matching line, and the lines around it that are not part of another match. */
export interface GrepMatch {
  readonly file: string
  readonly line_number: number
  readonly content: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** Selects the lines to collect. */
interface CollectOptions {
  readonly files: readonly string[]
  /** Number of matches in the first file to skip. */
  readonly skip: number
  /** Maximum number of matches. */
  readonly max: number
  /** Number of lines after a match that are part of it. */
  readonly after: number
  /** Total number of characters after which no further match is collected. */
  readonly budget: number
}

/** Groups lines into matches as they arrive. `take` returns true if more lines are needed. */
export function createMatchCollector({ files, skip, max, after, budget }: CollectOptions): {
  readonly matches: readonly GrepMatch[]
  readonly take: (line: FoundLine) => boolean
} {
  const matches: (GrepMatch & { after?: string[] })[] = []
  let skipped = 0
  let file = -1
  let lastMatch = -Infinity
  let before: string[] = []
  let characters = 0

  return {
    matches,
    take: (line) => {
      if (line.file !== file) {
        if (isFull()) return false
        file = line.file
        lastMatch = -Infinity
        before = []
      }
      const text = cutLine(line.text)
      if (line.matches) return takeMatch(line, text)
      if (line.number - lastMatch <= after) takeAfter(text)
      else before.push(text)
      return true
    },
  }

  function isFull(): boolean {
    return matches.length >= max || characters >= budget
  }

  function takeMatch({ number }: FoundLine, text: string): boolean {
    lastMatch = number
    const around = before
    before = []
    if (skipped < skip) {
      skipped++
      return true
    }
    if (isFull()) return false
    matches.push({
      file: files[file]!,
      line_number: number,
      content: text,
      ...(around.length > 0 && { before: around }),
    })
    characters += text.length + around.reduce((sum, each) => sum + each.length, 0)
    return after > 0 || !isFull()
  }

  function takeAfter(text: string): void {
    const last = matches.at(-1)
    // Context lines after a skipped match are also skipped.
    if (!last || last.file !== files[file] || skipped < skip) return
    last.after ??= []
    last.after.push(text)
    characters += text.length
  }
}

/** The visible part of a list of matches: its files, and the start in the first one. */
interface MatchWindow {
  readonly files: readonly string[]
  /** Number of matches in the first file before the window. */
  readonly skip: number
}

/** Finds the files that contain up to `max` matches, starting at `offset`. */
export function windowOf(
  counts: readonly (readonly [name: string, matches: number])[],
  offset: number,
  max: number,
): MatchWindow {
  const files: string[] = []
  let skip = 0
  let before = 0
  for (const [name, matches] of counts) {
    if (before >= offset + max) break
    if (before + matches > offset) {
      if (files.length === 0) skip = offset - before
      files.push(name)
    }
    before += matches
  }
  return { files, skip }
}

/** The result of Grep, in the requested output mode. */
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
interface GrepTotals {
  /** Number of all matching lines, or of all matches with `-o`, including those not shown. */
  readonly total_matches: number
  readonly total_files: number
  /** True if there are more lines than shown. */
  readonly truncated: boolean
  /** The offset to continue from. */
  readonly next_offset?: number
  /** The file or folder that was searched. */
  readonly path: string
  /** True if the search was stopped, so there may be more matches. */
  readonly timed_out?: true
  /** Files that could not be searched, with reasons. */
  readonly problems?: readonly string[]
  /** Matching files that are not text. */
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

/** Cuts a line that is too long, never inside a character. */
export function cutLine(line: string, max = 2000): string {
  if (line.length <= max) return line
  const code = line.charCodeAt(max - 1)
  const end = code >= 0xd800 && code <= 0xdbff ? max - 1 : max
  return `${line.slice(0, end)}… [line cut at ${max} characters]`
}
