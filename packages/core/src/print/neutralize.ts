import { Marks, type Mark, type Match } from '../read/marks.ts'
import type { Names } from '../read/names.ts'

/** Makes marks in untrusted text inert, and restores such text. */
export interface Neutralizer {
  readonly neutralize: (text: string) => string
  readonly restore: (text: string) => string
  /**
   * Tests whether a mark begins at this place in text without joiners. `part` means that more text
   * is needed.
   */
  readonly markAt: (text: string, at: number) => Match
}

/** The marks to search for, shared by all tools. */
export interface MarkTable {
  readonly list: readonly Inert[]
  /** The marks with their indexes in the list. */
  readonly marks: Marks
}

/** WORD JOINER: invisible, and not part of any mark. */
export const JOINER = '\u2060'

/** A mark to make inert. `NAME` in it represents the name of any tool. */
export interface Inert {
  readonly mark: string
  readonly anyCase: boolean
  /**
   * A condition for marks that ordinary text may contain. The mark counts only if one of these
   * characters follows, ignoring whitespace, or if a sticky pattern matches. The pattern has a
   * group that matches if the text continues after it.
   */
  readonly followedBy?: string | RegExp
  /** True if a name comes between the mark and that character. */
  readonly named?: boolean
}

/**
 * Inserts a joiner after the first character of every mark. Text that already has joiners there
 * gets one more, and restoring removes one, so that any text can be restored exactly:
 *
 *     <tool_call>   ⇄   <⁠tool_call>        (⁠ is the joiner)
 */
export function neutralizer(table: MarkTable, names: Names): Neutralizer {
  const marks = table.marks.for(names)
  /** Reused, because it is usually empty. */
  const found: Mark[] = []
  const markAt = (text: string, at: number): Match => {
    if (found.length > 0) found.length = 0
    let best: Match = marks.find(text, at, text.length, found) < 0 ? 'part' : 'none'
    for (const { mark, of } of found)
      for (const number of of) {
        const match = followed(table.list[number]!, text, at + mark.length)
        if (match === 'all') return match
        if (match === 'part') best = match
      }
    return best
  }
  /**
   * Changes the number of joiners after the first character of each mark. All other joiners belong
   * to nested marks.
   */
  const changed = (text: string, change: (joiners: number) => number): string => {
    const plain = text.replaceAll(JOINER, '')
    let out = ''
    let from = 0
    /** The place in the text without joiners. */
    let at = -1
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === JOINER.charCodeAt(0)) continue
      at++
      if (marks.first[code & 255] === 0 || markAt(plain, at) !== 'all') continue
      const joiners = i + String.fromCodePoint(text.codePointAt(i)!).length
      let rest = joiners
      while (text[rest] === JOINER) rest++
      out += text.slice(from, joiners) + JOINER.repeat(change(rest - joiners))
      from = rest
    }
    return out + text.slice(from)
  }
  return {
    neutralize: (text) => changed(text, (joiners) => joiners + 1),
    restore: (text) =>
      text.includes(JOINER) ? changed(text, (joiners) => Math.max(joiners - 1, 0)) : text,
    markAt,
  }
}

/** A table of these marks. */
export function tableOf(inert: readonly Inert[]): MarkTable {
  const all = [...TEMPLATE_TOKENS, ...inert]
  // Removes duplicates, since many protocols share marks.
  const list = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
  const marks = new Marks()
  list.forEach(({ mark, anyCase }, number) => marks.add([mark], anyCase, number))
  return { list, marks }
}

/** Tests the condition on the text after a mark. */
function followed({ followedBy, named }: Inert, text: string, from: number): Match {
  if (!followedBy) return 'all'
  if (typeof followedBy === 'object') {
    followedBy.lastIndex = from
    const [rest, whole] = followedBy.exec(text) ?? []
    return rest === undefined ? 'none' : whole === undefined ? 'part' : 'all'
  }
  let end = skip(text, from, from, SPACE)
  if (named) end = skip(text, skip(text, end, from, LABEL), from, SPACE)
  // Beyond the limit, the mark counts.
  if (end === from + LONGEST_GAP) return 'all'
  if (end === text.length) return 'part'
  return followedBy.includes(text[end]!) ? 'all' : 'none'
}

const SPACE = /\s/
const LABEL = /[\p{L}\p{N}_.:/-]/u

/** The maximum distance between a mark and the character that must follow it. */
const LONGEST_GAP = 128

function skip(text: string, at: number, from: number, some: RegExp): number {
  const limit = Math.min(text.length, from + LONGEST_GAP)
  let end = at
  while (end < limit && some.test(text[end]!)) end++
  return end
}

/**
 * The tokens of chat templates, including all tokens such as `<|im_end|>`, `<｜tool▁call▁begin｜>`
 * and `<start_of_turn>`.
 */
const TEMPLATE_TOKENS: readonly Inert[] = [
  ...['<s>', '</s>', '<bos>', '<eos>', '<pad>', '<<SYS>>', '<</SYS>>', '[gMASK]', ']~b]', '[e~['],
  ...['[INST]', '[SYSTEM_PROMPT]', '[AVAILABLE_TOOLS]'],
  ...['[/INST]', '[/SYSTEM_PROMPT]', '[/AVAILABLE_TOOLS]'],
  ...['<|', '<｜', '<start_of_', '<end_of_'],
].map((mark) => ({
  mark,
  anyCase: false,
  ...(/[|｜]$/.test(mark) && { followedBy: /[^<>]{1,60}[|｜](>)|[^<>]{0,61}$/y }),
  ...(mark.endsWith('_') && { followedBy: /\w{1,20}(>)|\w{0,20}$/y }),
}))
