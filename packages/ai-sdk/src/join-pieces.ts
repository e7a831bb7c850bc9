import type { Event } from '@toolglot/core'

type Piece = Extract<Event, { type: 'call-delta' }>

/** Joins pieces of arguments that are shorter than this: passing one on costs as much as many characters. */
const LENGTH = 32

/** Joins the short pieces of a call's arguments. Everything else is passed on at once, and after what came before it. */
export class PieceJoiner {
  #held: Piece | undefined;

  /** Takes events, and returns those that are passed on now. */
  *join(events: Iterable<Event>): Generator<Event, void> {
    for (const event of events) {
      if (event.type !== 'call-delta') {
        yield* this.end()
        yield event
        continue
      }
      if (this.#held && this.#held.index !== event.index) yield* this.end()
      const delta = (this.#held?.delta ?? '') + event.delta
      this.#held = { ...event, delta }
      if (delta.length >= LENGTH) yield* this.end()
    }
  }

  /** Returns what was held back. */
  *end(): Generator<Event, void> {
    const held = this.#held
    this.#held = undefined
    if (held) yield held
  }
}
