import { compare } from '../read/marks.ts'

/** Makes marks in untrusted text inert, and undoes that. */
export interface Neutralizer {
  readonly neutralize: (text: string) => string
  readonly restore: (text: string) => string
  readonly table: MarkTable
}

/** Many marks to look for. */
interface MarkTable {
  /** By the low byte of a first character: a bit for the low five bits of each second one, which ignore case. */
  readonly pairs: Int32Array
  /** By the hash of their first characters. */
  readonly byStart: ReadonlyMap<number, readonly Inert[]>
}

/** WORD JOINER: invisible, and not part of any mark. */
const JOINER = '\u2060'

/** A mark to make inert. */
export interface Inert {
  readonly mark: string
  readonly anyCase: boolean
  /** Ordinary text may contain the mark: it counts only if one of these characters comes next, ignoring whitespace. */
  readonly followedBy?: string
  /** A name comes between the mark and that character. */
  readonly named?: boolean
}

/**
 * Inserts a joiner after the first character of every mark. Text that already has joiners there gets one more, and restoring
 * removes one, so that any text can be restored exactly:
 *
 *     <tool_call>   ⇄   <⁠tool_call>        (⁠ is the joiner)
 *
 * The marks of `shared` count too.
 */
export function neutralizer(marks: readonly Inert[], shared?: Neutralizer): Neutralizer {
  const table = tableOf(marks, shared?.table)
  return {
    neutralize: (text) => walk(text, table, (joiners) => joiners + 1),
    restore: (text) => walk(text, table, (joiners) => Math.max(joiners - 1, 0)),
    table,
  }
}

/** How many characters marks are grouped by. */
const START = 3

function tableOf(marks: readonly Inert[], shared?: MarkTable): MarkTable {
  const pairs = new Int32Array(256)
  if (shared) pairs.set(shared.pairs)
  const byStart = new Map(shared?.byStart)
  const addStart = (text: string): void => {
    // Anything may follow a mark of one character.
    pairs[text.charCodeAt(0) & 255]! |= text.length > 1 ? 1 << text.charCodeAt(1) : -1
  }
  TEMPLATE_STARTS.forEach(addStart)
  // Many protocols have the same marks.
  for (const one of new Map(marks.map((one) => [JSON.stringify(one), one])).values()) {
    const { mark, anyCase } = one
    if (mark === '') continue
    const hash = hashOf(mark, 0, Math.min(mark.length, START))
    byStart.set(hash, [...(byStart.get(hash) ?? []), one])
    addStart(mark)
    if (anyCase) [mark.toLowerCase(), mark.toUpperCase()].forEach(addStart)
  }
  return { pairs, byStart }
}

/** Changes the number of joiners after the first character of each mark. Others belong to marks inside a mark. */
function walk(text: string, table: MarkTable, change: (joiners: number) => number): string {
  const { pairs } = table
  const plain = text.replaceAll(JOINER, '')
  let out = ''
  let from = 0
  /** The place in the plain text. */
  let at = -1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === JOINER.charCodeAt(0)) continue
    at++
    // Two characters rule out most places.
    if (!((pairs[code & 255]! >>> plain.charCodeAt(at + 1)) & 1) || !isMark(plain, at, table))
      continue
    const joiners = i + String.fromCodePoint(text.codePointAt(i)!).length
    let rest = joiners
    while (text[rest] === JOINER) rest++
    out += text.slice(from, joiners) + JOINER.repeat(change(rest - joiners))
    from = rest
  }
  return out + text.slice(from)
}

/** Whether a mark begins at a place in text without joiners. */
function isMark(text: string, at: number, { byStart }: MarkTable): boolean {
  TEMPLATE_TOKEN.lastIndex = at
  if (TEMPLATE_TOKEN.test(text)) return true
  for (let length = 1; length <= START; length++)
    for (const one of byStart.get(hashOf(text, at, length)) ?? [])
      if (compare(text, at, text.length, one.mark, one.anyCase) === 'all' && counts(one, text, at))
        return true
  return false
}

/** A number for a few characters, which is the same for capitals. */
function hashOf(text: string, at: number, length: number): number {
  let hash = 0
  for (let i = at; i < at + length; i++) hash = hash * 31 + (text.charCodeAt(i) | 32)
  return hash
}

/** Whether what must follow a mark does. */
function counts({ mark, followedBy, named }: Inert, text: string, at: number): boolean {
  if (!followedBy) return true
  let end = skip(text, at + mark.length, SPACE)
  if (named) end = skip(text, skip(text, end, NAME), SPACE)
  return end < text.length && followedBy.includes(text[end]!)
}

const SPACE = /\s/
const NAME = /[\p{L}\p{N}_.:/-]/u

function skip(text: string, from: number, some: RegExp): number {
  let at = from
  while (at < text.length && some.test(text[at]!)) at++
  return at
}

/** Chat templates' tokens: `<|im_end|>`, `<｜tool▁call▁begin｜>`, `<start_of_turn>`, `[INST]`, `</s>`, `]~b]`. */
const TEMPLATE_TOKEN =
  /<[|｜][^<>]{1,60}[|｜]>|<\/?s>|<(?:bos|eos|pad|(?:start|end)_of_\w{1,20})>|<<\/?SYS>>|\[gMASK\]|\]~b\]|\[e~\[|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]/y
const TEMPLATE_STARTS = ['<', '[', ']']
