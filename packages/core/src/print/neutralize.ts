import { NAME, type Names } from '../read/names.ts'
import { compare, type Mark, type Match, walk } from '../read/tree.ts'

/** Makes marks in untrusted text inert, and undoes that. */
export interface Neutralizer {
  readonly neutralize: (text: string) => string
  readonly restore: (text: string) => string
  /** Whether a mark begins at a place in text without joiners; `part`: if the text goes on, that decides. */
  readonly markAt: (text: string, at: number) => Match
}

/** Many marks to look for, the same for all tools. */
export interface MarkTable {
  readonly pairs: Pairs
  /** By the hash of their first characters. */
  readonly byStart: ReadonlyMap<number, readonly Inert[]>
  /** Those with a tool's name in them, by what comes before it; `mark` is what comes after it. */
  readonly named: ReadonlyMap<string, readonly Inert[]>
}

/** By the low byte of a first character: a bit for the low five bits of each second one, which ignore case. */
type Pairs = Int32Array

/** WORD JOINER: invisible, and not part of any mark. */
export const JOINER = '\u2060'

/** A mark to make inert. `NAME` in it stands for the name of any tool. */
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
 */
export function neutralizer(tables: readonly MarkTable[], names: Names): Neutralizer {
  const pairs: Pairs = new Int32Array(256)
  for (const table of tables) {
    table.pairs.forEach((bits, i) => (pairs[i]! |= bits))
    for (const [before, [one]] of table.named)
      for (const { mark } of names.list) addStart(pairs, before + mark || one!.mark, one!.anyCase)
  }
  const markAt = (text: string, at: number): Match => {
    const bits = pairs[text.charCodeAt(at) & 255]!
    // Two characters rule out most places.
    const begins = at + 1 < text.length ? (bits >>> text.charCodeAt(at + 1)) & 1 : bits
    return begins === 0 ? 'none' : find(text, at, tables, names)
  }
  const walk = (text: string, change: (joiners: number) => number): string =>
    changeJoiners(text, (plain, at) => markAt(plain, at) === 'all', change)
  return {
    neutralize: (text) => walk(text, (joiners) => joiners + 1),
    restore: (text) => walk(text, (joiners) => Math.max(joiners - 1, 0)),
    markAt,
  }
}

/** How many characters marks are grouped by. */
const START = 3

/** A table of these marks. */
export function tableOf(marks: readonly Inert[]): MarkTable {
  const pairs: Pairs = new Int32Array(256)
  const byStart = new Map<number, Inert[]>()
  const named = new Map<string, Inert[]>()
  for (const start of TEMPLATE_STARTS) addStart(pairs, start, false)
  // Many protocols have the same marks.
  for (const one of new Map(marks.map((one) => [JSON.stringify(one), one])).values()) {
    const { mark, anyCase } = one
    if (mark === '') continue
    const [before, after] = mark.split(NAME) as [string, string?]
    if (after !== undefined) {
      named.set(before, [...(named.get(before) ?? []), { ...one, mark: after }])
      continue
    }
    const hash = hashOf(mark, 0, Math.min(mark.length, START))
    byStart.set(hash, [...(byStart.get(hash) ?? []), one])
    addStart(pairs, mark, anyCase)
  }
  return { pairs, byStart, named }
}

function addStart(pairs: Pairs, mark: string, anyCase: boolean): void {
  // Anything may follow a mark of one character.
  const bits = mark.length > 1 ? 1 << mark.charCodeAt(1) : -1
  for (const start of anyCase ? [mark.toLowerCase(), mark.toUpperCase()] : [mark])
    pairs[start.charCodeAt(0) & 255]! |= bits
}

/** Changes the number of joiners after the first character of each mark. Others belong to marks inside a mark. */
function changeJoiners(
  text: string,
  isMark: (plain: string, at: number) => boolean,
  change: (joiners: number) => number,
): string {
  const plain = text.replaceAll(JOINER, '')
  let out = ''
  let from = 0
  /** The place in the plain text. */
  let at = -1
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) === JOINER.charCodeAt(0)) continue
    at++
    if (!isMark(plain, at)) continue
    const joiners = i + String.fromCodePoint(text.codePointAt(i)!).length
    let rest = joiners
    while (text[rest] === JOINER) rest++
    out += text.slice(from, joiners) + JOINER.repeat(change(rest - joiners))
    from = rest
  }
  return out + text.slice(from)
}

function find(text: string, at: number, tables: readonly MarkTable[], names: Names): Match {
  TEMPLATE_TOKEN.lastIndex = at
  if (TEMPLATE_TOKEN.test(text)) return 'all'
  TEMPLATE_START.lastIndex = at
  // The first characters decide where to look.
  let best: Match = at + START > text.length || TEMPLATE_START.test(text) ? 'part' : 'none'
  for (const { byStart, named } of tables) {
    for (let length = 1; length <= START; length++)
      for (const one of byStart.get(hashOf(text, at, length)) ?? []) {
        const match = matchOf(one.mark, one, text, at)
        if (match === 'all') return match
        if (match === 'part') best = match
      }
    if (names.list.length === 0) continue
    for (const [before, list] of named) {
      if (!text.startsWith(before, at)) continue
      const here: Mark[] = []
      if (walk(names, text, at + before.length, text.length, here) < 0) best = 'part'
      for (const name of here)
        for (const one of list) {
          const match = matchOf(before + name.mark + one.mark, one, text, at)
          if (match === 'all') return match
          if (match === 'part') best = match
        }
    }
  }
  return best
}

/** A number for a few characters, which is the same for capitals. */
function hashOf(text: string, at: number, length: number): number {
  let hash = 0
  for (let i = at; i < at + length; i++) hash = hash * 31 + (text.charCodeAt(i) | 32)
  return hash
}

/** Whether a mark is at a place, and what must follow it. */
function matchOf(
  mark: string,
  { anyCase, followedBy, named }: Inert,
  text: string,
  at: number,
): Match {
  const match = compare(text, at, text.length, mark, anyCase)
  if (match !== 'all' || !followedBy) return match
  const from = at + mark.length
  let end = skip(text, from, from, SPACE)
  if (named) end = skip(text, skip(text, end, from, LABEL), from, SPACE)
  // If that is too far away, it counts.
  if (end === from + LONGEST_GAP) return 'all'
  if (end === text.length) return 'part'
  return followedBy.includes(text[end]!) ? 'all' : 'none'
}

const SPACE = /\s/
const LABEL = /[\p{L}\p{N}_.:/-]/u

/** How far after a mark its next character may be. */
const LONGEST_GAP = 128

function skip(text: string, at: number, from: number, some: RegExp): number {
  const limit = Math.min(text.length, from + LONGEST_GAP)
  let end = at
  while (end < limit && some.test(text[end]!)) end++
  return end
}

/** Chat templates' tokens: `<|im_end|>`, `<｜tool▁call▁begin｜>`, `<start_of_turn>`, `[INST]`, `</s>`, `]~b]`. */
const TEMPLATE_TOKEN =
  /<[|｜][^<>]{1,60}[|｜]>|<\/?s>|<(?:bos|eos|pad|(?:start|end)_of_\w{1,20})>|<<\/?SYS>>|\[gMASK\]|\]~b\]|\[e~\[|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]/y
const TEMPLATE_STARTS = ['<', '[', ']']
/** What may become one if the text goes on. */
const TEMPLATE_START =
  /(?:<[|｜][^<>]{0,61}|<\/?\w{0,31}|<<\/?\w{0,3}>?|\[\/?\w{0,17}|\[e~?|\]~?b?)$/y
