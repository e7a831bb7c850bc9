import type { Parser } from '../parser.ts'
import type { Event, Finish, Span } from '../reply.ts'

type Text = Extract<Event, { type: 'text' }>

/** Takes an event of the second reading, and the text that it covers, as the first reading gave it. */
type Put = (read: Event | undefined, plain: readonly Text[]) => void

/** Text without interruption that is read once more. Its own places are counted from its start; events get those of the reply. */
export class Stretch {
  readonly #parser: Parser
  readonly #selected: ReadonlySet<string>
  readonly #firstIndex: number
  readonly #put: Put
  /** The text that is not settled yet. */
  #texts: Text[] = []
  /** Where the first of it begins, and the place in the reply before it. */
  #from = 0
  #before = 0

  constructor(parser: Parser, selected: ReadonlySet<string>, firstIndex: number, put: Put) {
    this.#parser = parser
    this.#selected = selected
    this.#firstIndex = firstIndex
    this.#put = put
  }

  /** The place in the reply after it. */
  get place(): number {
    const last = this.#texts.at(-1)
    return last ? last.at + last.delta.length : this.#before
  }

  feed(text: Text): void {
    this.#texts.push(text)
    this.#parser.feed(text.delta).forEach((event) => this.#settle(event))
  }

  end(finish: Finish): void {
    this.#parser.end({ finish }).forEach((event) => this.#settle(event))
    this.#put(undefined, this.#take(Infinity))
  }

  #settle(event: Event): void {
    switch (event.type) {
      case 'text': {
        const { at, delta } = event
        if (at > this.#from) this.#put(undefined, this.#take(at))
        for (const text of this.#take(at + delta.length)) this.#put(text, [text])
        break
      }
      case 'call-start':
      case 'call-delta':
        this.#put({ ...event, index: this.#firstIndex + event.index }, [])
        break
      case 'call-end': {
        const { call, index } = event
        const before = this.#take(call.span[0])
        const start = this.#texts[0]?.at ?? this.#before
        const plain = this.#take(call.span[1])
        const span: Span = [call.span[0] < call.span[1] ? start : this.#before, this.#before]
        const other = !this.#selected.has(call.protocol)
        this.#put(
          {
            ...event,
            index: this.#firstIndex + index,
            call: { ...call, span, ...(other && { otherProtocol: true }) },
          },
          [...before, ...plain],
        )
        break
      }
      // It reports nothing else.
      default:
    }
  }

  /** Settles the text up to a place of this stretch. */
  #take(to: number): Text[] {
    let taken = 0
    let rest: Text | undefined
    const texts = this.#texts
    while (taken < texts.length && this.#from < to) {
      const text = texts[taken++]!
      const left = to - this.#from
      if (text.delta.length > left) {
        rest = { ...text, delta: text.delta.slice(left), at: text.at + left }
        texts[taken - 1] = { ...text, delta: text.delta.slice(0, left) }
      }
      const { at, delta } = texts[taken - 1]!
      this.#from += delta.length
      this.#before = at + delta.length
    }
    const settled = texts.slice(0, taken)
    this.#texts = rest ? [rest, ...texts.slice(taken)] : texts.slice(taken)
    return settled
  }
}
