import type { Call, Event } from '../reply.ts'
import { readerOf } from '../read/call.ts'
import { fenceEnds, runLength } from '../read/code.ts'
import { type Block, type Grammar, grammarOf, inBrackets, isCall } from '../read/grammar.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { LINE_END, Marks, type Match, NAME } from '../read/marks.ts'
import { blocksOf, type Message } from '../read/message.ts'
import { Output } from '../read/output.ts'
import { ahead, attempt, eat, eatAny, some, space, until } from '../read/readers.ts'
import { stopped } from '../read/failure.ts'
import { declares, lacksRequired, propertyOf, refuses } from '../schema/property.ts'
import { isSchema, partWith, resolve } from '../schema/resolve.ts'
import { CALLS, readTag, untrained } from './untrained.ts'
import { LABEL_WORDS, OBSERVATION, type Opening, type Openings } from './openings.ts'
import type { Schema } from '../protocol.ts'
import { typeOf, typesOf } from '../schema/types.ts'

/**
 * The number of characters to read without finding a call. After that, the rest is text, which
 * keeps reading linear.
 */
export const MAX_WITHOUT_CALL: number = 1 << 18
/** The fixed cost of an attempt, in characters. */
const ATTEMPT = 64

/** The context of a second reading. */
interface Again {
  /** The places where calls may begin, in order. */
  readonly openings: readonly Opening[]
  readonly beginning: Openings['beginning']
  /** The ids of the selected protocols. */
  readonly selected: ReadonlySet<string>
  readonly progress: {
    /** The index of the next opening. */
    next: number
    /** The number of characters that may still be read without finding a call. */
    budget: number
    /** True inside a quotation, comment or fence, where everything is data. */
    quoting: boolean
    /** True if the rest of the reply is never read a second time. */
    over: boolean
  }
  readonly put: (event: Event) => void
}

const UNTRAINED = [untrained]

/** Labels that may precede code with a call on the same line. */
const LABELS = new Marks(LABEL_WORDS)

/**
 * Reads text a second time, after the selected protocols found no call in it. It accepts calls of
 * known tools, with another protocol's marks or with none, if only such calls follow until the end
 * of the reply. Calls without marks may be in code.
 */
export function* readAgain(
  trial: Trial,
  { openings, beginning, selected, progress, put }: Again,
): Reader<void> {
  const { input } = trial
  const give = (text: string): void => {
    if (text !== '') put({ type: 'text', delta: text, at: input.place - text.length })
  }
  while (yield* some(input)) {
    const opening = openings[progress.next]
    if (progress.over || !opening || opening.at > input.place) {
      const to = progress.over ? Infinity : (opening?.at ?? Infinity)
      give(input.take(Math.min(input.length, to - input.place)))
      continue
    }
    progress.next++
    if (opening.at < input.place) continue
    const before = input.reread
    input.hold()
    const found = (yield* mayBegin(input, beginning)) && (yield* readCalls(trial, opening))
    if (found) {
      input.release()
      for (const event of trial.output.take()) put(marked(event, selected))
      continue
    }
    input.back()
    progress.budget -= ATTEMPT + input.reread - before
    // A call that other text follows is an example, or one of several steps. Then later calls are
    // no more reliable.
    const isStep = trial.count > 0 || (opening.lineBlank && (yield* ahead(input, OBSERVATION)))
    progress.over = isStep || progress.budget < 0
    progress.quoting = true
    const skipped = yield* skipQuotation(input, opening, give)
    progress.quoting = false
    if (!skipped) give(input.take(1))
  }
}

/**
 * Tests the text after an opening. This rules out most brackets: they precede a key that calls do
 * not have, or anything but an object, a name or a tag.
 */
function* mayBegin(input: Input, beginning: Openings['beginning']): Reader<boolean> {
  let found = 'part' as Match
  const step = (): boolean => (found = beginning(input)) !== 'part' || input.ended
  if (!step()) yield step
  return found === 'all'
}

/** A call, marked with `otherProtocol` if its protocol was not selected. */
function marked(event: Event, selected: ReadonlySet<string>): Event {
  if (event.type !== 'call-end') return event
  const { call } = event
  const fenced = call.repairs.includes('fence')
  const other = !selected.has(call.protocol)
  return {
    ...event,
    call: { ...call, ...(fenced && { fenced }), ...(other && { otherProtocol: other }) },
  }
}

/** The state of reading text that may be calls. */
export interface Trial extends Message {
  /** The pictures for untrained models. */
  readonly own: Grammar
  output: Output
  alone: boolean
  /** The mark of the surrounding code, if any. */
  code: string
  /** The number of calls read. */
  count: number
}

/** The state for the second reading. */
export function trialOf(message: Message): Trial {
  return { ...message, own: grammarOf(UNTRAINED, message.names), alone: false, code: '', count: 0 }
}

/**
 * Reads the calls that begin here. Succeeds only if calls are all that follows in the reply; then
 * the output contains them.
 */
function* readCalls(trial: Trial, { lineBlank, alone }: Opening): Reader<boolean> {
  const { input, facts } = trial
  Object.assign(trial, { lineBlank, alone, code: '', count: 0 })
  trial.facts = { ...facts }
  trial.output = new Output()
  let over = false
  while (!over && (trial.code || (yield* openCode(trial)))) {
    if (!((yield* readOne(trial)) || (yield* readLabelled(trial)))) break
    trial.count++
    yield* skipClosers(trial)
    over = input.over
    trial.lineBlank = true
  }
  trial.facts = facts
  return over && stopped(trial)
}

/** Reads a call in code that follows a label on the same line. */
function* readLabelled(trial: Trial): Reader<boolean> {
  const { input, lineBlank } = trial
  if (!lineBlank || !(yield* eatAny(input, LABELS))) return false
  yield* space(input)
  return (yield* openCode(trial)) && (yield* readOne(trial))
}

/** Opens code if it begins here. False if this code cannot wrap a call. */
function* openCode(trial: Trial): Reader<boolean> {
  const { input, lineBlank, alone } = trial
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
  trial.facts.fenced = true
  trial.code = char.repeat(length)
  return true
}

/** True if a fence of this language may wrap a call. Any other fence is an example. */
function isLanguage(language: string, alone: boolean): boolean {
  return LANGUAGES.has(language) || (alone && language === 'xml')
}

const LANGUAGES = new Set([
  ...['', 'json', 'json5', 'jsonc', 'jsonl', 'python', 'py', 'text', 'txt', 'plaintext'],
  ...['tool_code', 'tool_call', 'tool_calls', 'tool', 'tool_use', 'function', 'function_call'],
])

/** Reads one call, or a list of calls, with the first picture that fits: strictly if possible, otherwise with repairs. */
function* readOne(trial: Trial): Reader<boolean> {
  const { input, output, wanted, facts } = trial
  const blocks = yield* blocksHere(trial)
  wanted.repairs = false
  for (const lenient of [false, true]) {
    if (lenient && !wanted.repairs) break
    for (const block of blocks) {
      input.hold()
      trial.output = new Output(output.nextIndex)
      trial.facts = { ...facts }
      const read = yield* readerOf(block)(trial, block, lenient)
      const events = trial.output.take()
      Object.assign(trial, { output, facts })
      if (read && isCalls(trial, block, events)) {
        input.release()
        output.append(events)
        return true
      }
      input.back()
    }
  }
  return false
}

/**
 * The blocks that may begin here. Inside code, marks of other protocols are data, unless the code
 * is the whole reply.
 */
function* blocksHere(trial: Trial): Reader<Block[]> {
  const { input, grammar, own, lineBlank, code, alone } = trial
  let found: (readonly number[] | undefined)[] = []
  const step = (): boolean => {
    found = [grammar, own].map(({ first }) => first.numbersAt(input))
    return !found.includes(undefined)
  }
  if (!step()) yield step
  const [marked = [], weak = []] = found
  return [
    ...(alone || !code ? blocksOf(grammar, marked).strong : []),
    ...blocksOf(own, weak).all.filter((block) => lineBlank || inBrackets(block)),
  ].filter(isCall)
}

/**
 * True if these are complete calls of known tools. If their marks are not proof enough, their
 * arguments must fit the schema.
 */
function isCalls({ tools }: Message, block: Block, events: readonly Event[]): boolean {
  // Any tag may coincide with a tool's name.
  const weak = block.weak || block.marks.some((mark) => mark.includes(NAME))
  const isCall = ({ name, args, complete, repairs }: Call): boolean => {
    const tool = tools?.get(name)
    if (!tool || !complete || !weak) return tool !== undefined && complete
    const { parameters = {} } = tool
    // A tool's description has the tool's name and a schema.
    const isDescription = isSchema(args['properties']) && !declares(parameters, 'properties')
    if (isDescription || repairs.some((repair) => RISKY_REPAIRS.has(repair))) return false
    return fits(args, parameters, parameters)
  }
  return events.every((event) => {
    return event.type === 'call-end' ? isCall(event.call) : event.type.startsWith('call-')
  })
}

/** Repairs of text that has too little in common with a call. */
const RISKY_REPAIRS = new Set([
  ...['extra-member', 'flat-arguments', 'unknown-key', 'mistyped', 'text-body'],
  ...['stray-text', 'damaged-opener', 'damaged-closer', 'missing-opener', 'quoted-closer'],
])

/**
 * Skips text between calls or after the last one: the end of code, closing tags, the end of the
 * turn.
 */
function* skipClosers(trial: Trial): Reader<void> {
  const { input, grammar, own } = trial
  const marks = grammar.ignored.join(own.ignored).join(SEPARATORS)
  do {
    yield* space(input)
    if (trial.code && (yield* eat(input, trial.code))) {
      trial.code = ''
      delete trial.facts.fenced
      yield* space(input)
    }
  } while ((yield* eatAny(input, marks)) || (yield* attempt(input, readClosingTag(trial))))
}

const SEPARATORS = new Marks([',', ';', OBSERVATION])

/**
 * Reads a closing tag that mentions calls, is named after a tool, or ends the turn: `</tool_code>`,
 * `</Read>`, `<|end|>`, `</s>`.
 */
function* readClosingTag({ input, tools }: Message): Reader<boolean> {
  const label = yield* readTag(input)
  if (label === undefined) return false
  return /^\||^\/s$/.test(label) || CALLS.test(label) || tools!.has(label.slice(1))
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

/** True if a value matches a schema in its types, enums and required members. */
export function fits(value: unknown, schema: unknown, root: Schema): boolean {
  const found = resolve(schema, root)
  if (!found) return schema !== false
  const types = typesOf(found, root)
  const type = typeOf(value)
  const allowed =
    !types || types.has('unknown') || types.has(type) || (type === 'integer' && types.has('number'))
  const { enum: values, const: only = value } = found
  const listed = !Array.isArray(values) || values.some((one) => isEqual(one, value))
  if (!allowed || !listed || !isEqual(only, value)) return false
  if (Array.isArray(value)) {
    const items = partWith(found, root, 'items')?.['items']
    return value.every((item) => fits(item, items, root))
  }
  if (!isSchema(value)) return true
  return (
    !lacksRequired(found, value, root) &&
    Object.entries(value).every(
      ([key, member]) =>
        !refuses(found, key, root) && fits(member, propertyOf(found, key, root), root),
    )
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
