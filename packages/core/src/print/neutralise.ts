import { Marks } from '../read/marks.ts'

/** Makes marks in untrusted text inert, and undoes it. */
export interface Neutraliser {
  readonly neutralise: (text: string) => string
  readonly restore: (text: string) => string
}

/** Nothing to see, and no part of any mark: WORD JOINER. */
const JOINER = '\u2060'

/**
 * A joiner goes behind the first character of every mark. Text that already has joiners there gets one more, and
 * restoring takes one away, so that any text comes back as it was:
 *
 *     <tool_call>   ⇄   <⁠tool_call>        (⁠ is the joiner)
 */
export function neutraliser(list: readonly { mark: string; anyCase: boolean }[]): Neutraliser {
  const marks = new Marks()
  for (const { mark, anyCase } of list) marks.add([mark], anyCase)
  return {
    neutralise: (text) => walk(text, marks, (joiners) => joiners + 1),
    restore: (text) => walk(text, marks, (joiners) => Math.max(joiners - 1, 0)),
  }
}

/** Change how many joiners stand behind the first character of each mark. */
function walk(text: string, marks: Marks, change: (joiners: number) => number): string {
  let out = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char !== '<' && char !== '[' && marks.match(text, i, i + 1) === 'none') continue
    let rest = i + 1
    while (text[rest] === JOINER) rest++
    if (!isMark(text, i, rest, marks)) continue
    out += text.slice(from, i + 1) + JOINER.repeat(change(rest - i - 1))
    from = rest
  }
  return out + text.slice(from)
}

function isMark(text: string, at: number, rest: number, marks: Marks): boolean {
  // Joiners further on belong to marks inside this one.
  const joined = text[at]! + text.slice(rest, rest + LONGEST_MARK).replaceAll(JOINER, '')
  return marks.match(joined, 0, joined.length) === 'all' || isTemplateToken(joined)
}

const LONGEST_MARK = 64

/** A chat template's own marks: `<|im_end|>`, `<｜tool▁call▁begin｜>`, `[INST]`, `</s>`. */
function isTemplateToken(text: string): boolean {
  return TEMPLATE_TOKEN.test(text)
}

const TEMPLATE_TOKEN =
  /^(?:<[|｜][^<>]{1,60}[|｜]>|<\/?s>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\])/
