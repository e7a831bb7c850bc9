import { collectReply, type Event, type Segment } from '@toolglot/core'

/** What a parser told of a reply, for its segments. Text that comes in many pieces takes no more room than one. */
export class SegmentRecorder {
  readonly #items: (Stretch | Exclude<Event, { type: 'text' } | { type: 'reasoning' }>)[] = []

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

  /** Of the whole reply. */
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

/** Text or reasoning that goes on, and where it stands. */
interface Stretch {
  readonly type: 'text' | 'reasoning'
  readonly at: number
  to: number
}
