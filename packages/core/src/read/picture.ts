import type { Reading } from '../hole.ts'
import type { Wire } from '../wire.ts'
import { closeAnyway } from './closing.ts'
import { compile } from './compile.ts'
import type { Draft } from './draft.ts'
import type { Input, Reader } from './input.ts'
import { type Marks, NO_MARKS } from './marks.ts'
import { eat, layout } from './readers.ts'

/** What is the same for all parts of a picture. */
export interface PictureContext {
  readonly input: Input
  readonly draft: Draft
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
  const { input, draft, anyCase } = context
  const items = compile(wire, anyCase)
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (item.hole) {
      const stops = item.open ? item.stops.join(next) : item.stops
      const reading: Reading = {
        input,
        draft,
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
    yield* layout(input, draft)
    if (yield* eat(input, item.token, anyCase)) continue
    if (draft.unclosed) return !(draft.unclosed = false)
    const closed = yield* closeAnyway(items, i, context)
    if (closed === undefined)
      return draft.fail(draft.closed ? 'trailing-text' : 'syntax', item.token)
    i = closed
  }
  return true
}
