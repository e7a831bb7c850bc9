import type { Reading } from '../hole.ts'
import type { Wire } from '../wire.ts'
import { closeAnyway } from './closing.ts'
import { compile } from './compile.ts'
import type { CallBuilder } from './call-builder.ts'
import type { Input, Reader } from './input.ts'
import { type Marks, NO_MARKS } from './marks.ts'
import { eat, layout } from './readers.ts'

/** What is the same for all parts of a picture. */
export interface PictureContext {
  readonly input: Input
  readonly builder: CallBuilder
  readonly anyCase: boolean
  /** What may begin a block: a call whose closing mark is missing ends where the next block begins. */
  readonly openings: Marks
  readonly calls: Reading['calls']
  readonly stopped: () => boolean
}

/** Reads a picture. `next` may follow it, `outer` ends what surrounds it. False: the text differs, or ended too early. */
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
