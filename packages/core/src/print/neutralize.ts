import { Marks } from '../read/marks.ts'

/** Makes marks in untrusted text inert, and undoes that. */
export interface Neutralizer {
  readonly neutralize: (text: string) => string
  readonly restore: (text: string) => string
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
 */
export function neutralizer(list: readonly Inert[]): Neutralizer {
  const [marks, words] = [new Marks(), new Marks()]
  for (const { mark, anyCase, followedBy } of list)
    (followedBy ? words : marks).add([mark], anyCase)
  const longest = Math.max(LONGEST_TOKEN, ...list.map(({ mark }) => mark.length))
  const follows = (mark: string, text: string, at: number): boolean =>
    list.some((one) => one.mark === mark && one.followedBy?.includes(next(text, at, one)))
  const isMark: IsMark = (first, text, rest) => {
    // Later joiners belong to marks inside this one.
    const joined = first + withoutJoiners(text, rest, longest)
    if (marks.match(joined, 0, joined.length) === 'all' || TEMPLATE_TOKEN.test(joined)) return true
    const length = words.lengthAt(joined, 0, joined.length)
    return length > 0 && follows(joined.slice(0, length), text, rest)
  }
  const mayBegin = (text: string, at: number): boolean =>
    TEMPLATE_START.test(text[at]!) ||
    marks.match(text, at, at + 1) !== 'none' ||
    words.match(text, at, at + 1) !== 'none'
  return {
    neutralize: (text) => walk(text, mayBegin, isMark, (joiners) => joiners + 1),
    restore: (text) => walk(text, mayBegin, isMark, (joiners) => Math.max(joiners - 1, 0)),
  }
}

/** Whether a mark begins with `first` and continues at `rest`, after the joiners. */
type IsMark = (first: string, text: string, rest: number) => boolean

/** Changes the number of joiners after the first character of each mark. */
function walk(
  text: string,
  mayBegin: (text: string, at: number) => boolean,
  isMark: IsMark,
  change: (joiners: number) => number,
): string {
  let out = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    if (!mayBegin(text, i)) continue
    const first = String.fromCodePoint(text.codePointAt(i)!)
    const joiners = i + first.length
    let rest = joiners
    while (text[rest] === JOINER) rest++
    if (!isMark(first, text, rest)) continue
    out += text.slice(from, joiners) + JOINER.repeat(change(rest - joiners))
    from = rest
  }
  return out + text.slice(from)
}

/** The next `count` characters, not counting joiners. */
function withoutJoiners(text: string, from: number, count: number): string {
  const plain = text.slice(from, from + count)
  if (!plain.includes(JOINER)) return plain
  let out = ''
  for (let at = from; at < text.length && out.length < count; at++) {
    if (text[at] !== JOINER) out += text[at]
  }
  return out
}

/** The first character after a mark, ignoring whitespace, joiners and a name. `from` is after the first character of the mark. */
function next(text: string, from: number, { mark, named }: Inert): string {
  let left = mark.length - String.fromCodePoint(mark.codePointAt(0)!).length
  let at = from
  for (; left > 0 && at < text.length; at++) if (text[at] !== JOINER) left--
  const skip = (some: RegExp): void => {
    while (at < text.length && (text[at] === JOINER || some.test(text[at]!))) at++
  }
  skip(/\s/)
  if (named) skip(/[\p{L}\p{N}_.:/-]/u)
  skip(/\s/)
  return text[at] ?? NOTHING
}

/** Not in any `followedBy`. */
const NOTHING = '\n'

/** Chat templates' tokens: `<|im_end|>`, `<｜tool▁call▁begin｜>`, `<start_of_turn>`, `[INST]`, `</s>`, `]~b]`. */
const LONGEST_TOKEN = 64
const TEMPLATE_TOKEN =
  /^(?:<[|｜][^<>]{1,60}[|｜]>|<\/?s>|<(?:bos|eos|pad|(?:start|end)_of_\w{1,20})>|<<\/?SYS>>|\[gMASK\]|\]~b\]|\[e~\[|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\])/
const TEMPLATE_START = /[<[\]]/
