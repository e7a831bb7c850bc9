import type { Call, Event } from '../reply.ts'
import { readerOf } from '../read/call.ts'
import { fenceEnds, runLength } from '../read/code.ts'
import { type Block, type Grammar, grammarOf, inBrackets } from '../read/grammar.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { LINE_END, Marks } from '../read/marks.ts'
import type { Message } from '../read/message.ts'
import { Output } from '../read/output.ts'
import {
  ahead,
  attempt as attemptTo,
  eat,
  eatAny,
  isSpace,
  some,
  space,
  until,
} from '../read/readers.ts'
import { stopped } from '../read/stopped.ts'
import { type Match, NAME } from '../read/tree.ts'
import { declares } from '../schema/property.ts'
import { isSchema } from '../schema/resolve.ts'
import { fits } from './fits.ts'
import { readTag } from './tag.ts'
import { beginning, LABEL_WORDS, type Opening } from './openings.ts'
import { untrained } from './untrained.ts'

/** After this many characters read without finding a call, the rest is text, so that reading stays linear. */
const MAX_WITHOUT_CALL = 1 << 18

/** What text is read again with. */
interface Again {
  /** Where calls may begin, in order; those that were tried are removed. */
  readonly openings: Opening[]
  /** The ids of the selected protocols. */
  readonly selected: ReadonlySet<string>
  /** How many characters were read without finding a call, in all; and whether the reader is where everything is data. */
  readonly progress: { spent: number; quoting: boolean }
  /** Takes the next events, and the text that they were read from. */
  readonly put: (read: readonly Event[], plain: Event) => void
}

const UNTRAINED = [untrained]

/** What may come before code with a call on the same line. */
const LABELS = new Marks(LABEL_WORDS)

/**
 * Reads text in which the selected protocols found no call once more. Two things count, both only for known tools:
 *
 * - a call with another protocol's marks, outside of code and quotations;
 * - a call without marks, which may be in code, if nothing but such calls follows up to the end of the reply.
 */
export function* readAgain(
  message: Message,
  { openings, selected, progress, put }: Again,
): Reader<void> {
  const { input, names } = message
  const attempt: Attempt = {
    ...message,
    own: grammarOf(UNTRAINED, names),
    output: message.output,
    alone: false,
    code: '',
  }
  let next = 0
  const give = (text: string): void => {
    const event: Event = { type: 'text', delta: text, at: input.place - text.length }
    if (text !== '') put([event], event)
  }
  while (yield* some(input)) {
    const opening = openings[next]
    if (!opening || opening.at > input.place) {
      give(input.take(Math.min(input.length, (opening?.at ?? Infinity) - input.place)))
      continue
    }
    next++
    if (opening.at < input.place) continue
    const before = input.reread
    const place = input.hold()
    const found =
      progress.spent < MAX_WITHOUT_CALL &&
      (yield* mayBegin(attempt)) &&
      (yield* readCalls(attempt, opening))
    if (found) {
      const plain: Event = { type: 'text', delta: input.since(place), at: place }
      input.release()
      put(
        attempt.output.take().map((event) => marked(event, selected)),
        plain,
      )
      continue
    }
    input.back()
    progress.spent += input.reread - before
    progress.quoting = true
    const skipped = yield* skipQuotation(input, opening, give)
    progress.quoting = false
    if (!skipped) give(input.take(1))
  }
}

/** Most brackets are ruled out by what follows them: a key that calls do not have, or anything but an object, a name or a tag. */
function* mayBegin(message: Message): Reader<boolean> {
  let found = 'part' as Match
  const step = (): boolean => (found = beginning(message)) !== 'part' || message.input.ended
  if (!step()) yield step
  return found === 'all'
}

/** A call, with the fact that it is not in a selected protocol. */
function marked(event: Event, selected: ReadonlySet<string>): Event {
  if (event.type !== 'call-end' || selected.has(event.call.protocol)) return event
  return { ...event, call: { ...event.call, otherProtocol: true } }
}

/** What may be calls, while it is read. */
interface Attempt extends Message {
  /** What untrained models write. */
  readonly own: Grammar
  output: Output
  alone: boolean
  /** The mark of the code that it is in, if any. */
  code: string
}

/** Reads what begins here, if all of it is calls. Then the output has them. */
function* readCalls(attempt: Attempt, { lineBlank, alone }: Opening): Reader<boolean> {
  const { facts, output } = attempt
  Object.assign(attempt, {
    lineBlank,
    alone,
    code: '',
    facts: { ...facts },
    output: new Output(output.nextIndex),
  })
  const found = yield* readToEnd(attempt)
  attempt.facts = facts
  if (!found) attempt.output = output
  return found
}

/** Reads a call with marks; or calls that must end the reply, up to that end. */
function* readToEnd(attempt: Attempt): Reader<boolean> {
  const { input } = attempt
  for (;;) {
    if (!attempt.code && !(yield* openCode(attempt))) return false
    const block = (yield* readOne(attempt)) ?? (yield* readLabelled(attempt))
    if (!block) return false
    if (!block.weak && !attempt.code) return true
    yield* skipClosers(attempt)
    if (input.over) return stopped(attempt)
    attempt.lineBlank = true
  }
}

/** Reads a call in code that is on the same line as its label. */
function* readLabelled(attempt: Attempt): Reader<Block | undefined> {
  const { input, lineBlank } = attempt
  if (!lineBlank || !(yield* eatAny(input, LABELS))) return undefined
  yield* space(input)
  return (yield* openCode(attempt)) ? yield* readOne(attempt) : undefined
}

/** Opens code, if there is some here. False: it wraps no call. */
function* openCode(attempt: Attempt): Reader<boolean> {
  const { input, lineBlank, alone } = attempt
  const char = input.peek(1)
  if (char !== '`' && char !== '~') return true
  const length = yield* runLength(input, char)
  if (!lineBlank || (char === '~' && length < 3)) return false
  input.cursor += length
  if (length >= 3) {
    const language = yield* readLabel(input, LINE_END)
    if (language === undefined || !isLanguage(language.toLowerCase(), alone)) return false
  }
  yield* space(input)
  attempt.facts.fenced = true
  attempt.code = char.repeat(length)
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
function* readOne(attempt: Attempt): Reader<Block | undefined> {
  const { input, output, wanted } = attempt
  const blocks = yield* blocksHere(attempt)
  wanted.repairs = false
  for (const lenient of [false, true]) {
    if (lenient && !wanted.repairs) break
    for (const block of blocks) {
      input.hold()
      attempt.output = new Output(output.nextIndex)
      const read = yield* readerOf(block)(attempt, block, lenient)
      const events = attempt.output.take()
      attempt.output = output
      if (read && isCalls(attempt, block, events)) {
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
  const { input, grammar, own, lineBlank, code, alone } = message
  let found: (number[] | undefined)[] = []
  const step = (): boolean => {
    found = [grammar, own].map(({ first }) => first.numbersAt(input))
    return !found.includes(undefined)
  }
  if (!step()) yield step
  const [strong, weak] = found
  return [
    ...blocksOf(grammar, strong).filter((block) => !block.weak && (alone || !code)),
    ...blocksOf(own, weak).filter((block) => lineBlank || inBrackets(block)),
  ].filter(({ kind }) => kind === 'call' || kind === 'section')
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
    // The description of a tool has its name and a schema.
    const isDescription = isSchema(args['properties']) && !declares(parameters, 'properties')
    if (isDescription || repairs.some((repair) => DOUBTFUL.has(repair))) return false
    return fits(args, parameters, parameters)
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
  } while ((yield* eatAny(input, marks)) || (yield* attemptTo(input, readClosingTag(input))))
}

const SEPARATORS = new Marks([',', ';', 'Observation:'])

function* readClosingTag(input: Input): Reader<boolean> {
  const label = yield* readTag(input)
  return label !== undefined && /^(?:[/|]|end)/i.test(label)
}

/** Skips a quotation, a comment or a fence, in which everything is data. */
function* skipQuotation(
  input: Input,
  { lineBlank }: Opening,
  give: (text: string) => void,
): Reader<boolean> {
  const char = input.peek(1)
  if (yield* ahead(input, '<!--')) yield* until(input, COMMENT_END, give)
  else if (!lineBlank) return false
  else if (char === '>') yield* until(input, LINE_END, give)
  else if (char === '`' || char === '~') {
    const length = yield* runLength(input, char)
    const ends = fenceEnds(char.repeat(length))
    give(input.take(length))
    if (length >= 3 && (yield* until(input, ends, give))) give(input.take(ends.lengthAt(input)))
  } else return false
  return true
}

const COMMENT_END = new Marks(['-->'])
