import type { Match } from './collect-matches.ts'

/** Matches as a model reads them: by file, `12: text`, and `11- text` for the lines around. */
export function showMatches(
  matches: readonly Match[],
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
