import { endOfPage, isLong, type PageSize } from './text-page.ts'
import type { Diff, DiffLine } from './unified-diff.ts'
import { unseenIn } from './unseen.ts'

/** How many lines are drawn at once. */
const MAX_LINES = 200
/** How many characters that nobody sees are drawn at once: each is an element of its own. */
const MAX_UNSEEN = 400
/** How much of a line is drawn at first. */
const LINE: PageSize = { lines: 1, characters: 2000, unseen: 100 }

/** Where the next page of a line ends that begins at `from`. */
export function endOfLine(text: string, from: number): number {
  return endOfPage(text, from, LINE)
}

/** The first page of a line, from and to: of a long line, the part that differs. */
export function firstOfLine(text: string, changed = 0): readonly [from: number, to: number] {
  const end = endOfLine(text, 0)
  if (changed < end) return [0, end]
  const from = changed - Math.min(changed, BEFORE)
  return [from, endOfLine(text, from)]
}

/** How much of a line is drawn before what differs. */
const BEFORE = 100

/** Where the next page of lines ends that begins at `from`: there is always a line on it. */
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

/** Whether a diff is too long to be drawn at once. */
export function isLongDiff({ lines }: Pick<Diff, 'lines'>): boolean {
  return endOfLines(lines, 0) < lines.length || lines.some(({ text }) => isLong(text, LINE))
}
