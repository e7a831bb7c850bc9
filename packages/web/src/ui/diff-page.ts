import type { Diff, DiffLine } from './unified-diff.ts'
import { unseenIn, UNSEEN } from './unseen.ts'

/** The maximum number of lines drawn at once. */
const MAX_LINES = 200
/** The maximum number of invisible characters drawn at once: each is a separate element. */
const MAX_UNSEEN = 400
/** The part of a line that is drawn at first. */
const LINE: PageSize = { lines: 1, characters: 2000, unseen: 100 }

/** The end of the next page of a line, starting at `from`. */
export function endOfLine(text: string, from: number): number {
  return endOfPage(text, from, LINE)
}

/** The range of the first page of a line: in a long line, the part that differs. */
export function firstOfLine(text: string, changed = 0): readonly [from: number, to: number] {
  const end = endOfLine(text, 0)
  if (changed < end) return [0, end]
  const from = changed - Math.min(changed, BEFORE)
  return [from, endOfLine(text, from)]
}

/** The number of characters drawn before the difference. */
const BEFORE = 100

/** The end of the next page of lines, starting at `from`. A page has at least one line. */
export function endOfLines(lines: readonly DiffLine[], from: number): number {
  let unseen = 0
  const last = Math.min(lines.length, from + MAX_LINES)
  for (let at = from; at < last; at++) {
    const { text } = lines[at]!
    unseen += [...unseenIn(text.slice(0, endOfLine(text, 0)))].length
    if (unseen > MAX_UNSEEN && at > from) return at
  }
  return last
}

/** True if a diff is too long to draw at once. */
export function isLongDiff({ lines }: Pick<Diff, 'lines'>): boolean {
  return endOfLines(lines, 0) < lines.length || lines.some(({ text }) => isLong(text, LINE))
}

/** The size of one page of a text. */
interface PageSize {
  readonly lines: number
  readonly characters: number
  /** Invisible characters: each is a separate element. */
  readonly unseen: number
}

const PAGE: PageSize = { lines: 200, characters: 20_000, unseen: 200 }

/** The end of the next page of a text, starting at `from`. Long texts are drawn page by page. */
export function endOfPage(
  text: string,
  from: number,
  size: PageSize = PAGE,
  unseen: RegExp = UNSEEN,
): number {
  let end = from
  for (let line = 0; line < size.lines; line++) {
    const next = text.indexOf('\n', end)
    if (next < 0) {
      end = text.length
      break
    }
    end = next + 1
  }
  end = Math.min(end, from + size.characters)
  let seen = 0
  for (const { from: at } of unseenIn(text.slice(from, end), unseen)) {
    if (seen++ === size.unseen) return from + at
  }
  // Does not split a surrogate pair.
  const code = text.charCodeAt(end - 1)
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

/** True if a text is too long to draw at once. */
export function isLong(text: string, size: PageSize = PAGE, unseen: RegExp = UNSEEN): boolean {
  return endOfPage(text, 0, size, unseen) < text.length
}

/** The end of the first `pages` pages of a text. */
export function endOfPages(text: string, pages: number, unseen: RegExp = UNSEEN): number {
  let end = 0
  for (let page = 0; page < pages && end < text.length; page++)
    end = endOfPage(text, end, PAGE, unseen)
  return end
}
