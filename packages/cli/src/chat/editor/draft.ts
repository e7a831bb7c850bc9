/** The text being edited, and the offset of the cursor. */
export interface Draft {
  readonly text: string
  readonly at: number
}

/** A draft without text. */
export const EMPTY: Draft = { text: '', at: 0 }

/** Inserts text at the cursor. */
export function insert({ text, at }: Draft, more: string): Draft {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length }
}

/** Removes the text between two offsets. */
function removeRange({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), at: from }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The offset of the character before the cursor, which may be several UTF-16 units long. */
function before({ text, at }: Draft): number {
  // Few characters are longer than this.
  const from = Math.max(0, at - 64)
  const last = [...graphemes.segment(text.slice(from, at))].at(-1)
  return last ? from + last.index : 0
}

function after({ text, at }: Draft): number {
  const [first] = graphemes.segment(text.slice(at, at + 64))
  return first ? at + first.segment.length : text.length
}

function wordBefore({ text, at }: Draft): number {
  const left = text.slice(0, at)
  const end = left.trimEnd()
  return end.length - (/\S+$/.exec(end)?.[0].length ?? 0)
}

function wordAfter({ text, at }: Draft): number {
  return at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0)
}

function lineStart({ text, at }: Draft): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd({ text, at }: Draft): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The position at the same column in the line above; undefined in the first line. */
function above(draft: Draft): number | undefined {
  const start = lineStart(draft)
  if (start === 0) return undefined
  const upper = lineStart({ text: draft.text, at: start - 1 })
  return Math.min(upper + (draft.at - start), start - 1)
}

function below(draft: Draft): number | undefined {
  const end = lineEnd(draft)
  if (end === draft.text.length) return undefined
  const column = draft.at - lineStart(draft)
  return Math.min(end + 1 + column, lineEnd({ text: draft.text, at: end + 1 }))
}

const moveTo =
  (offsetIn: (draft: Draft) => number): Edit =>
  (draft) => ({ ...draft, at: offsetIn(draft) })

const removeTo =
  (offsetIn: (draft: Draft) => number): Edit =>
  (draft) => {
    const other = offsetIn(draft)
    return removeRange(draft, Math.min(other, draft.at), Math.max(other, draft.at))
  }

/** A change of the text or of the cursor. */
export type Edit = (draft: Draft) => Draft

type EditName =
  | 'left'
  | 'right'
  | 'wordLeft'
  | 'wordRight'
  | 'home'
  | 'end'
  | 'removeLeft'
  | 'removeRight'
  | 'removeWord'
  | 'removeToStart'
  | 'removeToEnd'

/** The edits that keys can make. */
export const edits: Readonly<Record<EditName, Edit>> = {
  left: moveTo(before),
  right: moveTo(after),
  wordLeft: moveTo(wordBefore),
  wordRight: moveTo(wordAfter),
  home: moveTo(lineStart),
  end: moveTo(lineEnd),
  removeLeft: removeTo(before),
  removeRight: removeTo(after),
  removeWord: removeTo(wordBefore),
  removeToStart: removeTo(lineStart),
  removeToEnd: removeTo(lineEnd),
}

/** Moves the cursor up or down a line; undefined if there is no such line. */
export function moveLine(draft: Draft, by: 'up' | 'down'): Draft | undefined {
  const at = (by === 'up' ? above : below)(draft)
  return at === undefined ? undefined : { ...draft, at }
}

/** Pasted text without control characters. */
export function sanitizePaste(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
}
