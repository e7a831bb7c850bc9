import type { Call, Event } from '../reply.ts'
import { readerOf } from '../read/call.ts'
import { fenceEnds, runLength, SPAN_ENDS } from '../read/code.ts'
import { giveText } from '../read/give-text.ts'
import { type Block, grammarOf, inBrackets } from '../read/grammar.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { LINE_END, Marks, NO_MARKS } from '../read/marks.ts'
import type { Message } from '../read/message.ts'
import { Output } from '../read/output.ts'
import { attempt, eat, eatAny, space, until } from '../read/readers.ts'
import { stopped } from '../read/stopped.ts'
import { fits } from './fits.ts'
import { readTag } from './tag.ts'
import { untrained } from './untrained.ts'

/** After this many characters read without finding a call, the rest is text, so that reading stays linear. */
const MAX_WITHOUT_CALL = 1 << 18

/**
 * Reads text that holds no call of the selected protocol once more; `isFirst`: no other text comes before it. Two things count, both only for known tools:
 *
 * - a call with another protocol's marks, outside of code and quotations;
 * - a call without marks, which may be in code, if nothing but such calls follows up to the end of the reply.
 */
export function* readAgain(message: Message, isFirst: boolean): Reader<void> {
  const { input, output, grammar, names } = message
  const give = (text: string): void => giveText(message, text)
  const openings = grammar.strong.join(grammarOf(OWN, names).first).join(QUOTE)
  while (yield* until(input, input.reread < MAX_WITHOUT_CALL ? openings : NO_MARKS, give)) {
    if (yield* readCalls(message, isFirst && output.blank)) continue
    if (!(yield* skipCode(message))) give(input.take(1))
  }
}

const OWN = [untrained]

/** Begins a quotation, at the start of a line. */
const QUOTE = new Marks(['>'])

/** Reads what begins here, if all of it is calls. `alone`: nothing comes before it. */
function* readCalls(message: Message, alone: boolean): Reader<boolean> {
  const { input, output } = message
  const aside = new Output(output.nextIndex)
  const within = { ...message, output: aside, facts: { ...message.facts }, alone }
  if (!(yield* attempt(input, readToEnd(within)))) return false
  output.append(aside.take())
  message.lineBlank = false
  return true
}

type Attempt = Message & { readonly alone: boolean }

/** Reads a call with marks; or calls that need to be the end of the reply, up to that end. */
function* readToEnd(message: Attempt): Reader<boolean> {
  const { input } = message
  for (;;) {
    const code = yield* openCode(message)
    if (code === undefined) return false
    const block = yield* readOne(message)
    if (!block) return false
    if (!block.weak && !message.facts.fenced) return true
    yield* skipClosers(message, code)
    if (input.over) return stopped(message)
    message.lineBlank = true
  }
}

/** Opens code that may wrap a call, on a line of its own. Returns its mark: none if there is no code; undefined if it is something else. */
function* openCode(message: Attempt): Reader<string | undefined> {
  const { input, lineBlank, alone } = message
  const char = input.peek(1)
  if (char !== '`' && char !== '~') return ''
  const length = yield* runLength(input, char)
  if (!lineBlank || (char === '~' && length < 3)) return undefined
  input.cursor += length
  if (length >= 3) {
    const language = yield* readLabel(input, LINE_END)
    if (language === undefined || !isLanguage(language, alone)) return undefined
  }
  yield* space(input)
  message.facts.fenced = true
  return char.repeat(length)
}

/** Whether a call may be wrapped in a fence of this language. What is in any other fence is an example. */
function isLanguage(language: string, alone: boolean): boolean {
  const word = language.toLowerCase()
  return LANGUAGES.has(word) || (alone && word === 'xml')
}

const LANGUAGES = new Set([
  ...['', 'json', 'json5', 'jsonc', 'jsonl', 'python', 'py', 'text', 'txt', 'plaintext'],
  ...['tool_code', 'tool_call', 'tool_calls', 'tool', 'tool_use', 'function', 'function_call'],
])

/** Reads one call, or a list of calls, with the first picture that fits. */
function* readOne(message: Attempt): Reader<Block | undefined> {
  const { input, output, lineBlank, facts, alone } = message
  const blocks = (yield* blocksHere(message)).filter((block) =>
    block.weak ? inBrackets(block) || lineBlank : alone || !facts.fenced,
  )
  for (const lenient of message.repairs ? [false, true] : [false]) {
    for (const block of blocks) {
      const aside = new Output(output.nextIndex)
      const within = { ...message, output: aside }
      input.hold()
      const found = (yield* readerOf(block)(within, block, lenient)) && aside.take()
      if (!found || !isCalls(message, block, found)) {
        input.back()
        continue
      }
      input.release()
      output.append(found)
      return block
    }
  }
  return undefined
}

function* blocksHere({ input, grammar }: Message): Reader<Block[]> {
  let found: number[] | undefined
  const step = (): boolean => (found = grammar.first.numbersAt(input)) !== undefined
  if (!step()) yield step
  return found!
    .flatMap((number) => grammar.blocks[number] ?? [])
    .filter(({ kind, weak, protocol }) => {
      return (kind === 'call' || kind === 'section') && (!weak || protocol === untrained)
    })
}

/** Whether these are whole calls of known tools, and, if they have no marks, nothing else could be meant. */
function isCalls({ tools }: Message, { weak }: Block, events: readonly Event[]): boolean {
  const isCall = ({ name, args, complete, repairs }: Call): boolean => {
    const tool = tools?.get(name)
    if (!tool || !complete) return false
    if (!weak) return true
    const { parameters = {} } = tool
    return !repairs.some((repair) => UNLIKELY.has(repair)) && fits(args, parameters, parameters)
  }
  return events.every((event) => {
    return event.type === 'call-end' ? isCall(event.call) : event.type.startsWith('call-')
  })
}

/** Repairs of objects that have too little in common with a call. */
const UNLIKELY = new Set(['extra-member', 'flat-arguments', 'unknown-key', 'mistyped'])

/** Skips what may stand between a call and the next one, or the end: the end of code, closing tags, the end of the turn. */
function* skipClosers(message: Message, code: string): Reader<void> {
  const { input, grammar } = message
  let closed = code === ''
  do {
    yield* space(input)
    if (!closed && (yield* eat(input, code))) {
      closed = true
      delete message.facts.fenced
      yield* space(input)
    }
  } while (
    (yield* eatAny(input, grammar.ignored)) ||
    (yield* attempt(input, closingTag(input))) ||
    (yield* eatAny(input, SEPARATORS))
  )
}

const SEPARATORS = new Marks([',', ';', 'Observation:'])

function* closingTag(input: Input): Reader<boolean> {
  const label = yield* readTag(input)
  return label !== undefined && (label.startsWith('/') || label.startsWith('|'))
}

/** Skips code and quotations, in which everything is data. */
function* skipCode(message: Message): Reader<boolean> {
  const { input, lineBlank } = message
  const give = (text: string): void => giveText(message, text)
  const char = input.peek(1)
  if (char === '>' && lineBlank) return (yield* until(input, LINE_END, give), true)
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
