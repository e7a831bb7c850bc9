import type { Extension, Range } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
  type BlockInfo,
  gutter,
  GutterMarker,
} from '@codemirror/view'
import { firstOver, kindOf, startOf } from '../pieces.ts'
import { TEXT_CLASSES } from '../../ui/strip.tsx'
import type { Kind } from '../worker/messages.ts'
import { type Look, lookField } from './look.ts'

/** The maximum number of marks drawn at once. */
const MAX_MARKS = 600

/** A symbol between two characters. */
class Sign extends WidgetType {
  readonly className: string

  constructor(className: string) {
    super()
    this.className = className
  }

  override eq(other: Sign): boolean {
    return other.className === this.className
  }

  override toDOM(): HTMLElement {
    const sign = document.createElement('span')
    sign.className = this.className
    sign.setAttribute('aria-hidden', 'true')
    return sign
  }
}

const STOP = Decoration.widget({ widget: new Sign('stop-sign'), side: 1 })
const ADDED = Decoration.widget({ widget: new Sign('fix-sign'), side: 1 })
const HERE = Decoration.widget({ widget: new Sign('here-sign'), side: 1 })
const FIX = Decoration.mark({ class: 'fix' })
const LATER = Decoration.mark({ class: 'later' })

/** Draws a reading. Only its visible part becomes marks. */
export const lookMarks: Extension = [
  lookField,
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = marksIn(view)
      }

      update(update: ViewUpdate): void {
        const { look, isStale } = update.state.field(lookField)
        const isNew = update.startState.field(lookField).look !== look
        if (isStale) this.decorations = this.decorations.map(update.changes)
        else if (isNew || update.viewportChanged) this.decorations = marksIn(update.view)
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
]

function marksIn(view: EditorView): DecorationSet {
  const { look, isStale } = view.state.field(lookField)
  if (!look || isStale) return Decoration.none
  const marks: Range<Decoration>[] = []
  for (const { from, to } of view.visibleRanges) addMarks(marks, look, from, to)
  return Decoration.set(marks, true)
}

function addMarks(marks: Range<Decoration>[], look: Look, from: number, to: number): void {
  const { ends, count, place, until, hot } = look
  let piece = firstOver(ends, from)
  for (; piece < count && startOf(look, piece) < to && marks.length < MAX_MARKS; piece++) {
    // At this step, the last piece may have been shorter.
    const end = Math.min(piece === count - 1 ? place : ends[piece]!, to)
    const start = Math.max(startOf(look, piece), from)
    const kind = kindOf(look, piece)
    const isHot = hot === piece
    if (end > start && (kind !== 'text' || isHot))
      marks.push(pieceMark(TEXT_CLASSES[kind], piece, isHot).range(start, end))
  }
  if (look.isOpen && place < to && until > from)
    addMark(marks, pieceMark('read-call', count, hot === count), Math.max(place, from), until, to)
  if (until < look.length) {
    addMark(marks, LATER, Math.max(until, from), look.length, to)
    if (until >= from && until <= to) marks.push(HERE.range(until))
  }
  addRepairs(marks, look, from, to)
  for (let at = firstOver(look.stops, from - 1); at < look.stops.length; at++) {
    const stop = look.stops[at]!
    if (stop > Math.min(to, place) || marks.length > MAX_MARKS * 2) break
    marks.push(STOP.range(stop))
  }
}

function addRepairs(marks: Range<Decoration>[], look: Look, from: number, to: number): void {
  const { repairStarts, repairEnds, place } = look
  // Repairs are short: only those that start slightly earlier may reach into the visible part.
  for (let at = firstOver(repairStarts, from - 200); at < repairStarts.length; at++) {
    const start = repairStarts[at]!
    const end = repairEnds[at]!
    if (start >= to || end > place || marks.length > MAX_MARKS * 2) break
    if (end > start) addMark(marks, FIX, Math.max(start, from), end, to)
    else if (start >= from) marks.push(ADDED.range(start))
  }
}

function addMark(
  marks: Range<Decoration>[],
  mark: Decoration,
  from: number,
  end: number,
  to: number,
): void {
  if (Math.min(end, to) > from) marks.push(mark.range(from, Math.min(end, to)))
}

function pieceMark(className: string, piece: number, isHot: boolean): Decoration {
  return Decoration.mark({
    class: isHot ? `${className} hot` : className,
    attributes: { 'data-piece': String(piece) },
  })
}

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
/** The maximum number of pieces examined in a line. */
const MAX_PIECES = 60

/** A bar beside each line, which shows the kind of its last piece. */
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
