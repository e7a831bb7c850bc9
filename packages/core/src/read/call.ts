import type { Reading } from '../hole.ts'
import type { Wire } from '../wire.ts'
import { readBroken, report } from './broken.ts'
import { tokens, trailingSpace } from './compile.ts'
import { CallBuilder } from './call-builder.ts'
import { type Block, callsInside } from './grammar.ts'
import type { Reader } from './input.ts'
import type { Marks } from './marks.ts'
import type { Message } from './message.ts'
import { Output } from './output.ts'
import { readWire } from './picture.ts'
import { ahead, anyAhead, attempt, eat, eatAny, space } from './readers.ts'
import { stopped, wasCut } from './failure.ts'

/**
 * Reads one call, or a section with its calls. Returns false if there is none; then nothing was
 * reported.
 */
export function readCalls(message: Message, block: Block, lenient: boolean): Reader<boolean> {
  const read = readerOf(block)
  if (mustBeWhole(message, block)) return readWhole(message, block, lenient, read)
  if (mayBeProse(message, block)) return readHeld(message, block, lenient, read)
  return read(message, block, lenient)
}

/** The reader of a block. */
export function readerOf({ kind }: Block): Read {
  return kind === 'section' ? readSection : readPicture
}

/**
 * True for a list in brackets that follows text, or whose functions are unknown. It may be prose:
 * `[max(a, b)](url)`, `[f(x) for x in y]`.
 */
function mayBeProse({ output, tools }: Message, { kind, marks, weak }: Block): boolean {
  return weak && kind === 'section' && marks[0] === '[' && !(output.blank && tools)
}

/**
 * Reads a block that may be prose. It is reported only if it closes like a call and is not a link.
 */
function* readHeld(message: Message, block: Block, lenient: boolean, read: Read): Reader<boolean> {
  const { input } = message
  const aside = new Output(message.output.nextIndex)
  const within = { ...message, output: aside }
  const found = yield* attempt(input, calls())
  message.failure = within.failure
  if (found) reportHeld(message, aside)
  return found

  function* calls(): Reader<boolean> {
    if (!(yield* read(within, block, lenient)) || aside.broken) return false
    return !(yield* ahead(input, '('))
  }
}

/**
 * True for a call without a mark, which must be the whole reply unless it is the selected
 * protocol's own picture.
 */
function mustBeWhole({ auto, grammar }: Message, { weak, anchored, primary }: Block): boolean {
  return weak && !anchored && (auto || !(primary || grammar.markless))
}

type Read = (message: Message, block: Block, lenient: boolean) => Reader<boolean>

/** Reads a call that must be the whole reply. It is reported only when the reply ends. */
function* readWhole(message: Message, block: Block, lenient: boolean, read: Read): Reader<boolean> {
  const { input, fence } = message
  const used = fence?.used === true
  const aside = new Output(message.output.nextIndex)
  const within = { ...message, output: aside }
  input.hold()
  while (yield* read(within, block, lenient)) {
    do {
      yield* space(input)
      if (fence) yield* eat(input, fence.mark)
      yield* space(input)
      // Marks without meaning, such as the end of the turn, may follow.
    } while (yield* eatAny(input, message.grammar.ignored))
    if (input.length > 0) continue
    input.release()
    reportHeld(message, aside)
    return true
  }
  message.failure = within.failure
  input.back()
  // An earlier call may have used the fence.
  if (fence) fence.used = used
  return false
}

/**
 * Reports the calls that were held back. If the reply was cut off, they are incomplete, because the
 * missing text might have made them prose.
 */
function reportHeld(message: Message, aside: Output): void {
  const events = aside.take()
  if (wasCut(message))
    for (const event of events)
      if (event.type === 'call-end') event.call = { ...event.call, complete: false }
  message.output.append(events)
}

function* readPicture(
  message: Message,
  block: Block,
  lenient: boolean,
  around?: Marks,
): Reader<boolean> {
  const { input } = message
  const builder = new CallBuilder(message, block, lenient)
  const place = input.hold()
  const limit = place + message.maxCallLength
  const before = input.fence(limit)
  const read = yield* readDrawn(message, block, builder, noCalls, around)
  const tooLarge = input.place >= limit
  input.lift(before)
  const isBroken = !read && (tooLarge || !input.over)
  if (!read && !isBroken) builder.announceAnyway()
  if (!builder.announced) {
    input.back()
    return false
  }
  if (message.fence) message.fence.used = true
  if (isBroken) {
    if (tooLarge) message.failure = { problem: 'too-large', expected: 'a shorter call', at: limit }
    yield* readBroken(message, block, { place, index: builder.index })
    return true
  }
  const isOver = stopped(message)
  // A repair, or a broken block before the call, may be valid only because the reply ended here. If
  // the reply was cut off, the missing text might have made the call prose.
  const complete = read
    ? isOver ||
      !(
        builder.openEnded ||
        (input.finished && (message.facts.afterMalformed ?? builder.repairs[0]))
      )
    : isOver && builder.closed && message.repairs && builder.repair('missing-closer')
  const taken = input.cut()
  if (!builder.end(complete, taken)) {
    const expected = 'no keys such as __proto__'
    report(message, { problem: 'unsafe-key', expected, at: -1 }, builder.index, taken)
  }
  if (!message.suspect.value) delete message.facts.afterMalformed
  message.quoted = false
  return true
}

/**
 * Reads a mark or picture without meaning. A mark that closes reasoning may close reasoning that
 * was opened twice.
 */
export function* readIgnored(message: Message, block: Block): Reader<boolean> {
  const { input, output, nested } = message
  // After text, a mark that closes reasoning is only mentioned.
  if (block.closesRegion && nested === 0 && !output.blank) return false
  if (!(yield* readMark(message, block, noCalls))) return false
  output.thought ||= block.closesRegion === true
  yield* eat(input, trailingSpace(block.wire.at(-1)))
  if (message.nested > 0 && block.closesRegion && --message.nested === 0) {
    delete message.facts.inReasoning
  }
  return true
}

/** Reads a section without calls as a mark. */
export function readEmptySection(message: Message, block: Block): Reader<boolean> {
  const { input } = message
  return readMark(message, block, function* (_, __, stops) {
    yield* space(input)
    return yield* anyAhead(input, stops)
  })
}

function* readMark(message: Message, block: Block, calls: Reading['calls']): Reader<boolean> {
  const builder = new CallBuilder(message, block, false)
  if (!(yield* attempt(message.input, readDrawn(message, block, builder, calls)))) return false
  message.output.block()
  return true
}

function* readSection(message: Message, block: Block, lenient: boolean): Reader<boolean> {
  const { input } = message
  let count = 0
  // The trust flags at the section's beginning apply to all its calls.
  const facts = { ...message.facts }
  const builder = new CallBuilder(message, block, lenient)
  return yield* attempt(input, some())

  function* some(): Reader<boolean> {
    yield* readDrawn(message, block, builder, calls)
    return count > 0
  }

  function* readOne(blocks: readonly Block[], stops: Marks): Reader<boolean> {
    Object.assign(message.facts, facts)
    for (const leniently of lenient || !(count > 0 && message.repairs)
      ? [lenient]
      : [false, true]) {
      for (const one of blocks) if (yield* readPicture(message, one, leniently, stops)) return true
    }
    return false
  }

  function* calls(of: Wire | undefined, separator: string, stops: Marks): Reader<boolean> {
    const blocks = callsInside(block, of)
    for (;;) {
      input.hold()
      yield* space(input)
      if (count > 0) for (const token of tokens(separator)) yield* eat(input, token)
      yield* space(input)
      const over = (yield* anyAhead(input, stops)) || input.over
      if (!over && (yield* readOne(blocks, stops))) {
        input.release()
        count++
        continue
      }
      if (over && !stops.empty) {
        input.release()
        return true
      }
      // At the end of the turn, the section's closing mark is missing.
      const left = count > 0 && (yield* anyAhead(input, message.grammar.ignored))
      input.back()
      // After its first call, the section is certain, so unreadable text in it is reported.
      if (stops.empty || count === 0 || left) return stops.empty
      const [one] = blocks
      if (one?.element && (yield* readBroken(message, one, { place: input.hold() }))) continue
      return yield* readBroken(message, block, { place: input.hold() })
    }
  }
}

/** Reads the picture of a block. `around` are the marks that end the surrounding picture. */
function readDrawn(
  message: Message,
  { wire, anyCase }: Block,
  builder: CallBuilder,
  calls: Reading['calls'],
  around?: Marks,
): Reader<boolean> {
  const { input, grammar } = message
  const openings = grammar.after.join(around)
  const context = { input, builder, anyCase, openings, calls, stopped: () => stopped(message) }
  return readWire(wire, context, around, around)
}

const noCalls: Reading['calls'] = function* () {
  return false
}
