import type { Reading } from '../hole.ts'
import type { Wire } from '../wire.ts'
import { compile, type Item } from './compile.ts'
import type { CallBuilder } from './call-builder.ts'
import type { Input, Reader } from './input.ts'
import { Marks, NO_MARKS } from './marks.ts'
import { eat, layout, anyAhead, attempt, space } from './readers.ts'
import { readLabel } from './label.ts'

/** The state shared by all parts of a picture. */
interface PictureContext {
  readonly input: Input
  readonly builder: CallBuilder
  readonly anyCase: boolean
  /**
   * The marks that may begin a block. A call without its closing mark ends where the next block
   * begins.
   */
  readonly openings: Marks
  readonly calls: Reading['calls']
  readonly stopped: () => boolean
}

/**
 * Reads a picture. `next` are the marks that may follow it; `outer` are those that end the
 * surrounding picture. False if the text doesn't match or ends too early.
 */
export function* readWire(
  wire: Wire,
  context: PictureContext,
  next: Marks = NO_MARKS,
  outer?: Marks,
  siblings?: Marks,
): Reader<boolean> {
  const { input, builder, anyCase } = context
  const items = compile(wire, anyCase)
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (item.hole) {
      const stops = item.open ? item.stops.join(next) : item.stops
      const reading: Reading = {
        input,
        builder,
        calls: context.calls,
        stops,
        outer,
        siblings,
        stopped: context.stopped,
        before: item.before,
        after: item.after,
        later: item.later.join(context.openings),
        attribute: item.attribute,
        wire: (inner, following, others) =>
          readWire(inner, context, following, stops.join(outer).join(item.later), others),
      }
      if (!(yield* item.hole.read(reading))) return false
      continue
    }
    yield* layout(input, builder)
    if (yield* eat(input, item.token, anyCase)) continue
    if (builder.unclosed) return !(builder.unclosed = false)
    const closed = yield* closeAnyway(items, i, context)
    if (closed === undefined)
      return builder.fail(builder.closed ? 'trailing-text' : 'syntax', item.token)
    i = closed
  }
  return true
}

/**
 * Continues after a call's values when its closing mark does not follow, if the error is one of
 * these:
 *
 *     <tool_call>{…}}</tool_call>        an extra bracket
 *     <a><b>{…}</a>                      one of several closing marks is missing
 *     <tool_call>{…}<tool_call>          the next block begins
 *     <tool_call>{…}</function>          another closing tag
 *     <a><b>{…}</b> text </a>            text between two closing marks
 *
 * Returns the index of the last item that needs no more reading, or undefined for any other error.
 */
function* closeAnyway(
  items: readonly Item[],
  at: number,
  { input, builder, anyCase, openings }: PictureContext,
): Reader<number | undefined> {
  if (!builder.closed || !builder.mayRepair || items.slice(at).some((item) => item.hole))
    return undefined
  const here = input.hold()
  while (isBracket(input.code())) {
    input.cursor++
    yield* space(input)
  }
  const after = input.place
  for (let i = at; i < items.length; i++) {
    if (!(yield* eat(input, items[i]!.token!, anyCase))) continue
    input.release()
    if (after > here) builder.repair('extra-bracket', here, '', after)
    if (i > at) builder.repair('missing-closer', after, drawn(items.slice(at, i)), after)
    return i
  }
  input.back()
  if (input.ended && input.compare(items[at]!.token!, anyCase) === 'part') {
    // The reply was cut off inside the closing mark.
    input.cursor = input.end
    return undefined
  }
  if (yield* anyAhead(input, openings)) {
    builder.repair('missing-closer', here, drawn(items.slice(at)), here)
    return items.length
  }
  if (yield* attempt(input, closingTag(input))) {
    builder.repair('wrong-closer', here, items[at]!.token)
    return at
  }
  const stray = items[at - 1]!.token && builder.skipStray
  return stray && (yield* stray(items[at]!.token!)) ? at - 1 : undefined
}

/** The joined text of marks. */
function drawn(items: readonly Item[]): string {
  return items.map(({ token }) => token).join('')
}

/** } ] */
function isBracket(code: number): boolean {
  return code === 125 || code === 93
}

/** Skips a closing tag with any name. */
export function* closingTag(input: Input): Reader<boolean> {
  if (!(yield* eat(input, '</'))) return false
  return (yield* readLabel(input, TAG_ENDS)) !== undefined && (yield* eat(input, '>'))
}

/** The characters that end a tag's name after `</`. In a closing tag, only `>` does. */
const TAG_ENDS = new Marks(['>', '{', '\n', ' '])
