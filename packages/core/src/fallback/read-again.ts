import type { Call, Event } from '../reply.ts'
import { readerOf } from '../read/call.ts'
import { fenceEnds, runLength, SPAN_ENDS } from '../read/code.ts'
import { giveText } from '../read/give-text.ts'
import { type Block, type Grammar, grammarOf, inBrackets } from '../read/grammar.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { LINE_END, Marks, NO_MARKS } from '../read/marks.ts'
import type { Message } from '../read/message.ts'
import { Output } from '../read/output.ts'
import { ahead, attempt, eat, eatAny, space, until } from '../read/readers.ts'
import { stopped } from '../read/stopped.ts'
import { NAME } from '../read/tree.ts'
import { fits } from './fits.ts'
import { readTag } from './tag.ts'
import { untrained } from './untrained.ts'

/** After this many characters read without finding a call, the rest is text, so that reading stays linear. */
const MAX_WITHOUT_CALL = 1 << 18

/**
 * Reads text in which the selected protocol found no call once more; `isFirst`: no other text comes before it. Two things count,
 * both only for known tools:
 *
 * - a call with another protocol's marks, outside of code and quotations;
 * - a call without marks, which may be in code, if nothing but such calls follows up to the end of the reply.
 */
export function* readAgain(message: Message, isFirst: boolean): Reader<void> {
  const { input, output, grammar, names } = message
  const own = grammarOf(UNTRAINED, names)
  const openings = grammar.strong.join(own.first).join(QUOTATIONS)
  /** The last visible character was a colon. */
  let announced = false
  const give = (text: string): void => {
    giveText(message, text)
    const visible = text.trimEnd()
    if (visible !== '') announced = visible.endsWith(':')
  }
  while (yield* until(input, input.reread < MAX_WITHOUT_CALL ? openings : NO_MARKS, give)) {
    const alone = isFirst && output.blank
    if (yield* readCalls(message, { own, alone, announced })) continue
    if (!(yield* skipData(message, give))) give(input.take(1))
  }
}

const UNTRAINED = [untrained]

/** What begins a quotation, at the start of a line, and a comment. */
const QUOTATIONS = new Marks(['>', '<!--'])

/** Something that may be calls, while it is read. */
interface Attempt extends Message {
  /** What untrained models write. */
  readonly own: Grammar
  /** Nothing comes before it. */
  readonly alone: boolean
  /** A colon comes before it. */
  readonly announced: boolean
  /** The mark of the code that it is in, if any. */
  code: string
}

/** Reads what begins here, if all of it is calls. */
function* readCalls(
  message: Message,
  more: Pick<Attempt, 'own' | 'alone' | 'announced'>,
): Reader<boolean> {
  const { input, output } = message
  const aside = new Output(output.nextIndex)
  const facts = { ...message.facts }
  const within = { ...message, ...more, output: aside, facts, code: '' }
  if (!(yield* attempt(input, readToEnd(within)))) return false
  output.append(aside.take())
  message.lineBlank = false
  return true
}

/** Reads a call with marks; or calls that must end the reply, up to that end. */
function* readToEnd(message: Attempt): Reader<boolean> {
  const { input } = message
  for (;;) {
    if (!message.code && !(yield* openCode(message))) return false
    const block = yield* readOne(message)
    if (!block) return false
    if (!block.weak && !message.code) return true
    yield* skipClosers(message)
    if (input.over) return stopped(message)
    message.lineBlank = true
  }
}

/** Opens code, if there is some here. False: it wraps no call. */
function* openCode(message: Attempt): Reader<boolean> {
  const { input, lineBlank, announced, alone } = message
  const char = input.peek(1)
  if (char !== '`' && char !== '~') return true
  const length = yield* runLength(input, char)
  if (!(lineBlank || (announced && length >= 3)) || (char === '~' && length < 3)) return false
  input.cursor += length
  if (length >= 3) {
    const language = yield* readLabel(input, LINE_END)
    if (language === undefined || !isLanguage(language.toLowerCase(), alone)) return false
  }
  yield* space(input)
  message.facts.fenced = true
  message.code = char.repeat(length)
  message.lineBlank = true
  return true
}

/** Whether a fence of this language may wrap a call: everything else is an example. */
function isLanguage(language: string, alone: boolean): boolean {
  return LANGUAGES.has(language) || (alone && language === 'xml')
}

const LANGUAGES = new Set([
  ...['', 'json', 'json5', 'jsonc', 'jsonl', 'python', 'py', 'text', 'txt', 'plaintext'],
  ...['tool_code', 'tool_call', 'tool_calls', 'tool', 'tool_use', 'function', 'function_call'],
])

/** Reads one call, or a list of calls, with the first picture that fits: strictly if possible, otherwise with repairs. */
function* readOne(message: Attempt): Reader<Block | undefined> {
  const { input, output, wanted } = message
  const blocks = yield* blocksHere(message)
  wanted.repairs = false
  for (const lenient of [false, true]) {
    if (lenient && !wanted.repairs) break
    for (const block of blocks) {
      const aside = new Output(output.nextIndex)
      input.hold()
      const read = yield* readerOf(block)({ ...message, output: aside }, block, lenient)
      const events = aside.take()
      if (read && isCalls(message, block, events)) {
        input.release()
        output.append(events)
        return block
      }
      input.back()
    }
  }
  return undefined
}

/** What may begin here. In code, others' marks are data, unless the code is the whole reply. */
function* blocksHere(message: Attempt): Reader<Block[]> {
  const { input, grammar, own, lineBlank, announced, code, alone } = message
  let found: (number[] | undefined)[] = []
  const step = (): boolean => {
    found = [grammar, own].map(({ first }) => first.numbersAt(input))
    return !found.includes(undefined)
  }
  if (!step()) yield step
  const [strong, weak] = found
  const isCall = ({ kind }: Block): boolean => kind === 'call' || kind === 'section'
  return [
    ...blocksOf(grammar, strong).filter((block) => !block.weak && (alone || !code)),
    ...blocksOf(own, weak).filter((block) => lineBlank || announced || inBrackets(block)),
  ].filter(isCall)
}

function blocksOf({ blocks }: Grammar, numbers: readonly number[] = []): Block[] {
  return numbers.flatMap((number) => blocks[number] ?? [])
}

/** Whether these are whole calls of known tools and, if the marks are not proof enough, with arguments that fit. */
function isCalls({ tools }: Message, block: Block, events: readonly Event[]): boolean {
  // Any tag may have the name of a tool.
  const weak = block.weak || block.marks.some((mark) => mark.includes(NAME))
  const isCall = ({ name, args, complete, repairs }: Call): boolean => {
    const tool = tools?.get(name)
    if (!tool || !complete || !weak) return tool !== undefined && complete
    const { parameters = {} } = tool
    return !repairs.some((repair) => DOUBTFUL.has(repair)) && fits(args, parameters, parameters)
  }
  return events.every((event) => {
    return event.type === 'call-end' ? isCall(event.call) : event.type.startsWith('call-')
  })
}

/** Repairs of what has too little in common with a call. */
const DOUBTFUL = new Set(['extra-member', 'flat-arguments', 'unknown-key', 'mistyped'])

/** Skips what may be between a call and the next one, or the end: the end of code, closing tags, the end of the turn. */
function* skipClosers(message: Attempt): Reader<void> {
  const { input, grammar, own } = message
  const marks = grammar.ignored.join(own.ignored).join(SEPARATORS)
  do {
    yield* space(input)
    if (message.code && (yield* eat(input, message.code))) {
      message.code = ''
      delete message.facts.fenced
      yield* space(input)
    }
  } while ((yield* eatAny(input, marks)) || (yield* attempt(input, readClosingTag(input))))
}

const SEPARATORS = new Marks([',', ';', 'Observation:'])

function* readClosingTag(input: Input): Reader<boolean> {
  const label = yield* readTag(input)
  return label !== undefined && /^(?:[/|]|end)/i.test(label)
}

/** Skips code, comments and quotations, in which everything is data. */
function* skipData(message: Message, give: (text: string) => void): Reader<boolean> {
  const { input, lineBlank } = message
  const char = input.peek(1)
  if (char === '>' && lineBlank) {
    yield* until(input, LINE_END, give)
    return true
  }
  if (char === '<' && (yield* ahead(input, '<!--'))) {
    yield* until(input, COMMENT_END, give)
    return true
  }
  if (char !== '`' && char !== '~') return false
  const length = yield* runLength(input, char)
  const isFence = lineBlank && length >= 3
  if (!isFence && char === '~') return false
  give(input.take(length))
  if (isFence) {
    const ends = fenceEnds(char.repeat(length))
    if (yield* until(input, ends, give)) give(input.take(ends.lengthAt(input)))
    return true
  }
  while ((yield* until(input, SPAN_ENDS, give)) && input.code() === 96) {
    const run = yield* runLength(input, char)
    give(input.take(run))
    if (run === length) break
  }
  return true
}

const COMMENT_END = new Marks(['-->'])
