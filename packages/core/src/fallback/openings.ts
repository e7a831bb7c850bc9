import { OPEN, OPEN_LIST, SLASH } from '../json/characters.ts'
import { Marks } from '../read/marks.ts'
import type { Message } from '../read/message.ts'
import type { Names } from '../read/names.ts'
import { isSpace } from '../read/readers.ts'
import { type Match, NAME } from '../read/tree.ts'
import { labelMarks } from './label.ts'
import { ACTIONS, FIRST_KEYS } from './untrained.ts'

/** A place where a call may begin. */
export interface Opening {
  readonly at: number
  readonly atLineStart: boolean
  /** Only whitespace comes before it on its line. */
  readonly lineBlank: boolean
  /** No text comes before it. */
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

/** What a result begins with in ReAct. The model may have made it up. */
export const OBSERVATION = 'Observation:'

/** What calls of all protocols begin with, and those of untrained models; and what begins code, a quotation and a comment. */
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

/** What a call may begin with at the start of a reply, and later. */
export function openingsFor(names: Names): { first: Marks; later: Marks } {
  return { first: first.for(names), later: later.for(names) }
}

/** Whether what begins with a bracket may be a call, by what follows it. `part`: it takes more text to tell. */
export function beginning({ input, names }: Message): Match {
  const inside = INSIDE.get(input.code())?.join(names)
  if (!inside) return input.code(1) === SLASH ? 'none' : 'all'
  let at = 1
  while (at < MAX_SPACE && isSpace(input.code(at))) at++
  return at < input.length ? inside.match(input.buffer, input.cursor + at, input.end) : 'part'
}

const MAX_SPACE = 64

/** By the code of a bracket: the first keys of objects, and what lists contain. */
const INSIDE = new Map([
  [OPEN, new Marks(FIRST_KEYS.flatMap((key) => [`"${key}"`, `'${key}'`, key]))],
  [
    OPEN_LIST,
    new Marks(['{', 'tool', 'func', 'call', 'action', 'plugin', 'start', 'begin', '|'], true),
  ],
])
