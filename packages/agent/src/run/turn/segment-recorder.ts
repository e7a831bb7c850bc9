import { collectReply, type Event, type Segment } from '@toolglot/core'

/** Records the events of a reply for its segments. Text that comes in many pieces takes the room of one. */
export class SegmentRecorder {
  readonly #items: (TextRange | Exclude<Event, { type: 'text' } | { type: 'reasoning' }>)[] = []

  add(event: Event): void {
    if (event.type === 'call-start' || event.type === 'call-delta') return
    if (event.type !== 'text' && event.type !== 'reasoning') {
      this.#items.push(event)
      return
    }
    const { type, at, delta } = event
    const last = this.#items.at(-1)
    if (last?.type === type && last.to === at) last.to += delta.length
    else this.#items.push({ type, at, to: at + delta.length })
  }

  /** The segments, given the whole content of the reply. */
  segments(content: string): readonly Segment[] {
    return collectReply(
      this.#items.map((item): Event =>
        'to' in item
          ? { type: item.type, delta: content.slice(item.at, item.to), at: item.at }
          : item,
      ),
    ).segments
  }
}

/** Contiguous text or reasoning. */
interface TextRange {
  readonly type: 'text' | 'reasoning'
  readonly at: number
  to: number
}
