import { OPEN, OPEN_LIST, SLASH } from '../json/text.ts'
import { grammarOf } from '../read/grammar.ts'
import type { Input } from '../read/input.ts'
import { LONGEST_LABEL } from '../read/label.ts'
import { Marks, type Match, NAME } from '../read/marks.ts'
import { namesOf } from '../read/names.ts'
import { afterSpace, isSpace } from '../read/readers.ts'
import { everyProtocol } from '../registry.ts'
import { labelMarks, CALLS, ACTIONS, FIRST_KEYS } from './untrained.ts'

/** A place where a call may begin. */
export interface Opening {
  readonly at: number
  readonly atLineStart: boolean
  /** True if only whitespace precedes the place on its line. */
  readonly lineBlank: boolean
  /** True if no text precedes the place in the reply. */
  readonly alone: boolean
}

/** Labels after which code with a call may follow on the same line. */
export const LABEL_WORDS: readonly string[] = [
  'Action:',
  'Tool call:',
  'Tool Call:',
  'TOOL_CALL:',
  'Function call:',
]

/** The beginning of a result in ReAct. The model may have forged it. */
export const OBSERVATION = 'Observation:'

/**
 * The opening characters of calls (in all protocols and in the formats of untrained models), code,
 * quotations and comments.
 */
const SYMBOLS = ['<', '[', '{', ']<]', '>', '`', '~~~']

/** Words that begin calls. They count only at the start of a line. */
const WORDS = [
  'functools',
  'to=functions.',
  'TOOL:',
  OBSERVATION,
  ...LABEL_WORDS,
  ...labelMarks(ACTIONS),
  ...['(', '<', '\n<', ':\n<'].map((after) => NAME + after),
]

const first = new Marks([...SYMBOLS, ...WORDS])
const later = new Marks([...SYMBOLS, ...WORDS.map((word) => `\n${word}`)])

/** The openings of calls, at the start of a reply and later, with tests of what follows them. */
export interface Openings {
  readonly first: Marks
  readonly later: Marks
  /** Matches a later opening at this offset, unless the text after it rules out a call. */
  readonly match: (input: Input, at: number) => Match
  /**
   * Tests whether a call may begin at this offset, based on the following text. `part` means that
   * more text is needed. With `isBlock`, a protocol's block begins there.
   */
  readonly beginning: (input: Input, at?: number, isBlock?: boolean) => Match
}

/** The openings of calls of these tools. */
export function openingsFor(tools: readonly { readonly name: string }[]): Openings {
  const names = namesOf(tools)
  const [inObject, inList] = [FIRST, ITEMS].map((marks) => marks.join(names))
  /** The openings of every protocol, prepared only for replies that need them. */
  let strong: Marks | undefined

  /**
   * Tests whether a tag may begin a call: it is a mark, a comment, a tool's name, or a word for
   * calls.
   */
  function beginningOfTag(input: Input, from: number): Match {
    strong ??= grammarOf(everyProtocol, names).strong.join(COMMENT)
    const mark = input.match(strong, from)
    if (mark !== 'none') return mark
    const at = afterSpace(input, from + 1)
    let to = at
    // The start of the name without its namespace.
    let own = at
    let code = input.code(to)
    for (; to < at + LONGEST_LABEL && isLabel(code); code = input.code(to)) {
      // Non-ASCII characters may be letters or whitespace.
      if (code > 127) return 'all'
      to++
      if (code === DOT) own = to
    }
    const next = afterSpace(input, to)
    if (next >= input.length) return 'part'
    if (isSpace(input.code(at)) || isSpace(input.code(next))) return 'all'
    const isTag = input.code(next) === GREATER && to >= at + 3
    if (isTag && CALLS.test(input.between(at, to))) return 'all'
    return input.match(names, at) === 'none' ? input.match(names, own) : 'all'
  }

  function beginning(input: Input, at = 0, isBlock = false): Match {
    const code = input.code(at)
    if (input.code(at + 1) === SLASH) return 'none'
    if (code === LESS && !isBlock) return beginningOfTag(input, at)
    const inside = code === OPEN ? inObject : code === OPEN_LIST ? inList : undefined
    if (!inside) return 'all'
    const from = afterSpace(input, at + 1)
    return input.match(inside, from)
  }

  const laterHere = later.for(names)
  return {
    first: first.for(names),
    later: laterHere,
    match(input, at) {
      // Most openings are single characters.
      const match = isSymbol(input.code(at)) ? 'all' : input.match(laterHere, at)
      return match === 'all' && beginning(input, at) === 'none' ? 'none' : match
    },
    beginning,
  }
}

function isSymbol(code: number): boolean {
  return (
    code === LESS || code === GREATER || code === OPEN || code === OPEN_LIST || code === BACKTICK
  )
}

const BACKTICK = 96
const DOT = 46
const LESS = 60
const GREATER = 62
const COMMENT = new Marks(['<!--'])

/**
 * True if this character can be part of the name of a tag or a tool: letters, digits, `- . / :`,
 * and non-ASCII characters.
 */
function isLabel(code: number): boolean {
  return code > 44 && (code < 59 || code > 64) && code !== 92
}

/** The first keys of objects, and the items of lists. */
const FIRST = new Marks(FIRST_KEYS.flatMap((key) => [`"${key}"`, `'${key}'`, key]))
const ITEMS = new Marks(
  ['{', 'tool', 'func', 'call', 'action', 'plugin', 'start', 'begin', '|'],
  true,
)
