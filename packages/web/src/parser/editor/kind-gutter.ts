import type { Extension } from '@codemirror/state'
import { type BlockInfo, type EditorView, gutter, GutterMarker } from '@codemirror/view'
import { firstOver, kindOf, startOf } from '../pieces.ts'
import type { Kind } from '../worker/messages.ts'
import { lookField } from './look.ts'

class Bar extends GutterMarker {
  override readonly elementClass: string

  constructor(kind: Kind) {
    super()
    this.elementClass = `bar-${kind}`
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof Bar && other.elementClass === this.elementClass
  }
}

const BARS: Partial<Readonly<Record<Kind, Bar>>> = {
  reasoning: new Bar('reasoning'),
  call: new Bar('call'),
  malformed: new Bar('malformed'),
  'made-up': new Bar('made-up'),
}
/** How many pieces of a line are looked at. */
const MAX_PIECES = 60

/** A bar beside each line: what it, or the last piece in it, was read as. */
export const kindGutter: Extension = gutter({
  class: 'cm-kinds',
  lineMarker: barOf,
  lineMarkerChange: (update) =>
    update.startState.field(lookField) !== update.state.field(lookField),
})

function barOf(view: EditorView, { from, to }: BlockInfo): Bar | null {
  const { look, isStale } = view.state.field(lookField)
  if (!look || isStale) return null
  const { ends, count, place, until, isOpen } = look
  if (isOpen && from < until && to > place) return BARS.call!
  const first = firstOver(ends, from)
  let bar: Bar | null = null
  for (let piece = first; piece < Math.min(count, first + MAX_PIECES); piece++) {
    const start = Math.max(startOf(look, piece), from)
    if (start >= to || start >= place) break
    bar = BARS[kindOf(look, piece)] ?? bar
  }
  return bar
}
