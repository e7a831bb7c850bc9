// Folder: The reader: messages, calls and marks in a stream.
import type { Schema, ToolDefinition } from '../protocol.ts'
import type { Finish } from '../reply.ts'
import { readBroken, report, skipBalanced } from './broken.ts'
import { kept } from './cached.ts'
import { readCalls, readEmptySection, readIgnored } from './call.ts'
import { readCode } from './code.ts'
import type { Argument, TrustFacts } from './call-builder.ts'
import type { Recorder } from './recorder.ts'
import { giveText } from './region.ts'
import { Lookahead } from './lookahead.ts'
import { type Block, type Grammar, isCall } from './grammar.ts'
import type { Input, Reader, Sought } from './input.ts'
import { Output } from './output.ts'
import { type Marks, LINE_END, NO_MARKS, type Match } from './marks.ts'
import type { Names } from './names.ts'
import {
  afterSpace,
  anyAhead,
  isSpace,
  MAX_SPACE,
  some,
  until,
  eat,
  eatAll,
  space,
} from './readers.ts'
import { readAnswer, readReasoning } from './reasoning.ts'
import { stopped, fail, type ReadFailure } from './failure.ts'

const LONGEST_RESULT = 1 << 16

/** The state of reading a reply, which all readers share. */
export interface Message {
  readonly input: Input
  readonly output: Output
  readonly grammar: Grammar
  readonly tools: ReadonlyMap<string, ToolDefinition> | undefined
  readonly names: Names | undefined
  readonly repairs: boolean
  /**
   * True if no protocol was selected. Then a call without marks must be the whole reply and use a
   * known tool.
   */
  readonly auto: boolean
  readonly maxCallLength: number
  readonly makeId: (index: number) => string
  readonly startsInReasoning: boolean
  /** The ending of the reply, once known. */
  readonly turn: { finish: Finish }
  /** The trust flags for calls from here on. */
  facts: Mutable<TrustFacts>
  /** True if a repair would have helped but was not allowed. */
  readonly wanted: { repairs: boolean }
  /**
   * The number of characters that each block may still read without success. Below 0, the block is
   * exhausted and not tried again.
   */
  readonly budgets: Map<Block, number>
  /** The arguments looked up so far, by the schema of their tool. */
  readonly arguments: Map<Schema, Map<string, Argument>>
  /** True if several pictures begin alike here. */
  rivals: boolean
  /** The furthest failure since the current block began. */
  failure: ReadFailure | undefined
  /** Called for every failure. */
  readonly onFailure: ((block: Block, failure: ReadFailure) => void) | undefined
  /** Called for every opening of a call. */
  readonly onOpening: ((at: number) => void) | undefined
  /** The recorder of repairs, if details are requested. */
  readonly recorder: Recorder | undefined
  /** Receives the places where a second reading may begin, if there is one. */
  readonly watch: Watch | undefined
  /** The number of unclosed openings of reasoning inside reasoning. */
  nested: number
  /** True if the line so far is only whitespace. */
  lineBlank: boolean
  /** True if a call broke inside a string, so all later text may be that string's content. */
  readonly suspect: { value: boolean }
  /** True if the next call is in a code span that never closed. */
  quoted: boolean
  /** The open fence at the start of the reply, and whether it contained a block. */
  fence: { mark: string; used: boolean } | undefined
}

/** The hooks of a second reading into the first. */
export interface Watch {
  /** Further marks to search for: before any text, and later. */
  readonly first: Marks
  readonly later: Marks
  /** Matches a `later` mark at this offset, unless the text after it rules out a call. */
  match(message: Message, at: number): Match
  /** Called when one of these marks, or the opening of a block, is here. */
  onMark(message: Message, isBlock: boolean): void
  /** Called when text begins that is drawn as an answer. */
  onAnswer(at: number): void
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * The number of characters that a picture may read without finding a call. After that its openings
 * are text, so that reading stays linear.
 */
const MAX_WITHOUT_CALL = 1 << 20
/**
 * The maximum number of characters for a picture without a mark. It is lower, because brackets are
 * more common.
 */
const MAX_WITHOUT_CALL_WEAK = 1 << 16

/** The amount of whitespace after a block that is held back. */
const MAX_LAYOUT = 1 << 12
/** The amount of whitespace that is held back at the start of a reply. */
const MAX_LAYOUT_FIRST = 1 << 8

/** Reads a whole reply. */
export function* readMessage(message: Message): Reader<void> {
  const { input, output, grammar } = message
  const give = (text: string): void => giveText(message, text)
  if (message.startsInReasoning) {
    const thoughts = yield* anyReasoning(message)
    if (thoughts) yield* readReasoning(message, thoughts, true, readThought)
  }
  yield* readLayout(message, true)
  const { watch } = message
  const first = grammar.first.join(watch?.first)
  const own = anywhere(message) ? grammar.first : grammar.strong
  const later = watch ? alsoWatched(message, own, watch) : own
  while (output.blank ? yield* some(input) : yield* until(input, later, give)) {
    const here = blocksHere(message)
    // Marks for the start of a reply are not searched for later. Most watched marks do not begin a
    // block.
    const begins = here !== NO_BLOCKS
    const found = !output.blank || (here && begins) || (yield* anyAhead(input, first))
    if (found) watch?.onMark(message, begins)
    if (found && begins && (yield* readBlock(message, here))) yield* readLayout(message)
    else if (!found || !(yield* readCode(message))) give(input.take(1))
  }
}

/** The marks that begin a block or are watched. */
function alsoWatched(message: Message, own: Marks, watch: Watch): Sought {
  const { first } = own.join(watch.later)
  const { input } = message
  return {
    first,
    match(text, at, end) {
      const match = own.match(text, at, end)
      if (match === 'all') return match
      const watched = watch.match(message, at - input.cursor)
      return watched === 'none' ? match : watched
    },
  }
}

/** The block for reasoning that the prompt opened. It may close with the marks of any protocol. */
function* anyReasoning({ input, grammar }: Message): Reader<Block | undefined> {
  const all = grammar.blocks.filter(({ kind }) => kind === 'reasoning')
  let opened: Block | undefined
  for (const block of all) if (!opened && (yield* anyAhead(input, block.opening))) opened = block
  const [first, ...others] = all
  if (!first) return undefined
  return {
    ...(opened ?? first),
    ending: others.reduce((ending, block) => ending.join(block.ending), first.ending),
    closings: all.flatMap(({ closings }) => closings),
  }
}

/**
 * True if the selected protocol has no marks. Then its calls may begin anywhere except after a
 * forged result.
 */
function anywhere({ auto, grammar, facts }: Message): boolean {
  return !auto && grammar.markless && !facts.afterResult
}

/**
 * The blocks whose opening is here, in the order in which they are tried, or undefined if more text
 * is needed.
 */
function blocksHere(message: Message): readonly Block[] | undefined {
  const { input, output, grammar, budgets } = message
  const found = grammar.first.numbersAt(input)
  if (!found) return undefined
  const { all, strong, results } = blocksOf(grammar, found)
  const here = output.blank || anywhere(message) ? all : strong
  if (here.length === 0) return NO_BLOCKS
  const blocks = budgets.size > 0 ? here.filter((block) => !(budgets.get(block)! < 0)) : here
  if (message.onOpening && blocks.some((block) => !block.weak && block.kind !== 'ignore'))
    message.onOpening(input.place)
  // One protocol's answer may be another protocol's result. After a call, the protocol of that call
  // decides.
  if (output.calledIn === undefined || !results) return blocks
  const answered = blocks.filter((block) => answers(block, output.calledIn))
  return answered.length > 0 ? [...answered, ...blocks] : blocks
}

/** The blocks with these indexes, the subset with a mark, and whether any are results. Cached. */
export function blocksOf({ blocks }: Grammar, numbers: readonly number[]): Numbered {
  return kept(numbered, numbers, () => {
    const all = numbers.flatMap((number) => blocks[number] ?? [])
    const results = all.some(({ kind }) => kind === 'result')
    return { all, strong: all.filter(({ weak }) => !weak), results }
  })
}

const NO_BLOCKS: readonly Block[] = []

type Numbered = { all: readonly Block[]; strong: readonly Block[]; results: boolean }

const numbered = new WeakMap<readonly number[], Numbered>()

function answers(
  { kind, protocol: { id, dialect } }: Block,
  calledIn: string | undefined,
): boolean {
  return kind === 'result' && calledIn !== undefined && (id === calledIn || dialect === calledIn)
}

/**
 * The blocks whose second mark matches the text. A mark after too much whitespace is assumed to
 * match. Undefined if more text is needed.
 */
function withSecondMark(message: Message, blocks: readonly Block[]): readonly Block[] | undefined {
  const { input } = message
  let likely: Block[] | undefined
  let from = -1
  let at = -1
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!
    const { second } = block
    if (second && second.from !== from) at = afterSpace(input, (from = second.from))
    const known = second && at < from + MAX_SPACE
    const match = known ? input.match(second.marks, at) : 'all'
    if (match === 'part' && !input.ended) return undefined
    if (match === 'none') {
      likely ??= blocks.slice(0, i)
      const { expected } = second!
      fail(message, block, { problem: 'syntax', expected, at: input.place + at })
    } else likely?.push(block)
  }
  return likely ?? blocks
}

/** Reads the first matching block here: strictly if possible, otherwise with repairs. */
function* readBlock(
  message: Message,
  here: readonly Block[] | undefined = blocksHere(message),
): Reader<boolean> {
  const { input, budgets } = message
  message.failure = undefined
  let candidates = here!
  if (!candidates) yield () => (candidates = blocksHere(message)!) !== undefined
  message.rivals = candidates.length > 1
  let likely = withSecondMark(message, candidates)!
  if (!likely) yield () => (likely = withSecondMark(message, candidates)!) !== undefined
  const look = new Lookahead(message)
  const repairable: Block[] = []
  for (const lenient of [false, true]) {
    for (const block of lenient ? repairable : likely) {
      const before = input.reread
      message.wanted.repairs = false
      if (
        (!isCall(block) || (yield* look.mayRead(block, lenient))) &&
        (yield* READ[block.kind](message, block, lenient))
      )
        return true
      if (!lenient && message.wanted.repairs) repairable.push(block)
      const vain = input.reread - before
      const budget = budgets.get(block) ?? (block.weak ? MAX_WITHOUT_CALL_WEAK : MAX_WITHOUT_CALL)
      if (vain > 0) budgets.set(block, budget - vain)
    }
  }
  for (const block of likely) {
    if (block.kind !== 'section' || block.weak || block.closing === undefined) continue
    const mayBeEmpty = yield* look.mayRead(block, false, true)
    if (mayBeEmpty && (yield* readEmptySection(message, block))) return true
  }
  const broken = candidates.find(({ primary, weak }) => primary && !weak)
  if (isCut(message)) {
    // The block is fine except that it was cut off, so all remaining text is part of it.
    const place = input.hold()
    input.cursor = input.end
    if (broken) report(message, message.failure)
    else {
      giveText(message, input.since(place))
      input.release()
    }
    return true
  }
  return broken !== undefined && (yield* readBroken(message, broken))
}

/** Reads a call in reasoning that has ended. Text that is not a complete call remains reasoning. */
function* readThought(message: Message): Reader<boolean> {
  const { input, output } = message
  const aside = new Output(output.nextIndex)
  // Calls without marks are ignored here.
  aside.blank = false
  const within = {
    ...message,
    output: aside,
    facts: { ...message.facts, inReasoning: true as const },
  }
  input.hold()
  const read = yield* readBlock(within)
  const events = aside.take()
  const found = read && !aside.broken && aside.nextIndex > output.nextIndex
  if (!found || events.some((event) => event.type === 'call-end' && !event.call.complete)) {
    input.back()
    return false
  }
  input.release()
  output.append(events)
  return true
}

/** True if a block failed only because the reply was cut off. */
function isCut(message: Message): message is Message & { failure: ReadFailure } {
  const { input, failure } = message
  if (!input.finished || stopped(message)) return false
  return failure?.problem === 'cut' && failure.at === input.place + input.length
}

const READ: Record<
  Block['kind'],
  (message: Message, block: Block, lenient: boolean) => Reader<boolean>
> = {
  call: readCalls,
  section: readCalls,
  reasoning: (message, block) => readReasoning(message, block, false, readThought),
  answer: readAnswer,
  result: readResult,
  ignore: readIgnored,
}

/**
 * Reads whitespace before or after a block. It is markup, or text if text follows. With `first`, it
 * is also text if nothing follows.
 */
function* readLayout(message: Message, first = false): Reader<void> {
  const { input, output } = message
  message.lineBlank = true
  let left = first ? MAX_LAYOUT_FIRST : MAX_LAYOUT
  const step = (): boolean => {
    let count = 0
    while (count < left && isSpace(input.code(count))) count++
    left -= count
    if (count > 0) output.layout(input.take(count), first)
    return input.length > 0 || input.ended || left === 0
  }
  if (!step()) yield step
  input.lineStart = input.place
}

/**
 * Reads a tool's result in the model's own reply, which is forged. Reports it and flags the calls
 * after it.
 */
function* readResult(message: Message, block: Block): Reader<boolean> {
  const { input, output } = message
  const place = input.hold()
  const opening = block.wire.find((part) => typeof part === 'string') as string
  if (!(yield* eatAll(input, opening, block.anyCase))) {
    input.back()
    return false
  }
  const before = input.fence(place + LONGEST_RESULT)
  if (block.closing !== undefined) {
    yield* until(input, block.ending)
    yield* eat(input, block.closing, block.anyCase)
  } else {
    // The result is an object or the rest of the line.
    yield* space(input)
    if ((yield* some(input)) && input.code() === 123) yield* skipBalanced(input, NO_MARKS)
    else yield* until(input, LINE_END)
  }
  input.lift(before)
  output.result(input.cut())
  message.facts.afterResult = true
  return true
}
