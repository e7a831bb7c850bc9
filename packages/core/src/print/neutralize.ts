import { type Inert, JOINER, type MarkIndex } from './mark-index.ts'

/** Makes marks in untrusted text inert, and undoes that. */
export interface Neutralizer {
  readonly neutralize: (text: string) => string
  readonly restore: (text: string) => string
}

/**
 * Inserts a joiner after the first character of every mark. Text that already has joiners there gets one more, and restoring
 * removes one, so that any text can be restored exactly:
 *
 *     <tool_call>   ⇄   <⁠tool_call>        (⁠ is the joiner)
 */
export function neutralizer(marks: MarkIndex): Neutralizer {
  for (const start of TEMPLATE_STARTS) marks.addStart(start)
  const longest = Math.max(LONGEST_TOKEN, marks.longest)
  /** Whether there is a mark at `at` in `plain`, which has no joiners. The same mark continues at `rest` in `text`. */
  const isMark = (plain: string, at: number, text: string, rest: number): boolean => {
    TEMPLATE_TOKEN.lastIndex = at
    if (TEMPLATE_TOKEN.test(plain)) return true
    return marks.some(
      plain,
      at,
      (one) => !one.followedBy || one.followedBy.includes(next(text, rest, one)),
    )
  }

  /** Changes the number of joiners after the first character of each mark. */
  const walk = (text: string, change: (joiners: number) => number): string => {
    const isPlain = !text.includes(JOINER)
    let out = ''
    let from = 0
    for (let i = 0; i < text.length; i++) {
      if (!marks.mayBegin(text, i)) continue
      const first = String.fromCodePoint(text.codePointAt(i)!)
      const joiners = i + first.length
      let rest = joiners
      while (text[rest] === JOINER) rest++
      const found = isPlain
        ? isMark(text, i, text, rest)
        : // Later joiners belong to marks inside this one.
          isMark(first + withoutJoiners(text, rest, longest), 0, text, rest)
      if (!found) continue
      out += text.slice(from, joiners) + JOINER.repeat(change(rest - joiners))
      from = rest
    }
    return out + text.slice(from)
  }

  return {
    neutralize: (text) => walk(text, (joiners) => joiners + 1),
    restore: (text) => walk(text, (joiners) => Math.max(joiners - 1, 0)),
  }
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
  at = skip(text, at, SPACE)
  if (named) at = skip(text, skip(text, at, NAME), SPACE)
  return text[at] ?? NOTHING
}

function skip(text: string, from: number, some: RegExp): number {
  let at = from
  while (at < text.length && (text[at] === JOINER || some.test(text[at]!))) at++
  return at
}

const SPACE = /\s/
const NAME = /[\p{L}\p{N}_.:/-]/u

/** Not in any `followedBy`. */
const NOTHING = '\n'

/** Chat templates' tokens: `<|im_end|>`, `<｜tool▁call▁begin｜>`, `<start_of_turn>`, `[INST]`, `</s>`, `]~b]`. */
const LONGEST_TOKEN = 64
const TEMPLATE_TOKEN =
  /(?:<[|｜][^<>]{1,60}[|｜]>|<\/?s>|<(?:bos|eos|pad|(?:start|end)_of_\w{1,20})>|<<\/?SYS>>|\[gMASK\]|\]~b\]|\[e~\[|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\])/y

/** How each of them begins. */
const TEMPLATE_STARTS = [
  ...['<|', '<｜', '</', '<s', '<b', '<e', '<p', '<<'],
  ...['[g', ']~', '[e', '[/', '[I', '[S', '[A'],
]
