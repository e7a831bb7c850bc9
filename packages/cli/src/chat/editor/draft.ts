/** What is being written, and where the cursor is in it. */
export interface Draft {
  readonly text: string
  readonly at: number
}

export const EMPTY: Draft = { text: '', at: 0 }

export function insert({ text, at }: Draft, more: string): Draft {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length }
}

/** Replaces everything between two places. */
function cutOut({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), at: from }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The place before the character at the cursor's left; characters may be several units. */
function before({ text, at }: Draft): number {
  // A character is rarely longer than this.
  const from = Math.max(0, at - 64)
  const last = [...graphemes.segment(text.slice(from, at))].at(-1)
  return last ? from + last.index : 0
}

function behind({ text, at }: Draft): number {
  const [first] = graphemes.segment(text.slice(at, at + 64))
  return first ? at + first.segment.length : text.length
}

function wordBefore({ text, at }: Draft): number {
  const left = text.slice(0, at)
  const end = left.trimEnd()
  return end.length - (/\S+$/.exec(end)?.[0].length ?? 0)
}

function wordBehind({ text, at }: Draft): number {
  return at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0)
}

function lineStart({ text, at }: Draft): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd({ text, at }: Draft): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The same place in the line above; undefined in the first. */
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

const to =
  (place: (draft: Draft) => number): Edit =>
  (draft) => ({ ...draft, at: place(draft) })

const remove =
  (place: (draft: Draft) => number): Edit =>
  (draft) => {
    const other = place(draft)
    return cutOut(draft, Math.min(other, draft.at), Math.max(other, draft.at))
  }

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

/** What keys do to a draft. */
export const edits: Readonly<Record<EditName, Edit>> = {
  left: to(before),
  right: to(behind),
  wordLeft: to(wordBefore),
  wordRight: to(wordBehind),
  home: to(lineStart),
  end: to(lineEnd),
  removeLeft: remove(before),
  removeRight: remove(behind),
  removeWord: remove(wordBefore),
  removeToStart: remove(lineStart),
  removeToEnd: remove(lineEnd),
}

/** Up or down a line; undefined where there is none. */
export function moveLine(draft: Draft, by: 'up' | 'down'): Draft | undefined {
  const at = (by === 'up' ? above : below)(draft)
  return at === undefined ? undefined : { ...draft, at }
}

/** Text that somebody pasted, without what a terminal would obey. */
export function pasted(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
}
