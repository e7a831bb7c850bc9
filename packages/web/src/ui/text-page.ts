import { UNSEEN, unseenIn } from './unseen.ts'

/** How much of a text is drawn at once. */
export interface PageSize {
  readonly lines: number
  readonly characters: number
  /** Characters that nobody sees: each is an element of its own. */
  readonly unseen: number
}

const PAGE: PageSize = { lines: 200, characters: 20_000, unseen: 200 }

/** Where the next page of a text ends that begins at `from`. Long texts are drawn page by page. */
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
  // Not between the halves of a character.
  const code = text.charCodeAt(end - 1)
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

/** Whether a text is too long to be drawn at once. */
export function isLong(text: string, size: PageSize = PAGE, unseen: RegExp = UNSEEN): boolean {
  return endOfPage(text, 0, size, unseen) < text.length
}

/** Where so many pages of a text end. */
export function endOfPages(text: string, pages: number, unseen: RegExp = UNSEEN): number {
  let end = 0
  for (let page = 0; page < pages && end < text.length; page++)
    end = endOfPage(text, end, PAGE, unseen)
  return end
}
