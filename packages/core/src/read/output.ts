import type { Call, Event, Finish, Malformed } from '../reply.ts'
import type { Taken } from './input.ts'

/** Collects the events of a reply in order. Text in the prompt (before place 0) is omitted. */
export class Output {
  /** True until the first text. Blocks and whitespace don't count. */
  blank = true
  /** True after reasoning until the next text. Whitespace between them is markup. */
  thought = false
  /** True if a block could not be read. */
  broken = false
  /** The protocol of the last call. */
  calledIn: string | undefined
  #events: Event[] = []
  #index: number
  /**
   * Whitespace or a fence beside a block. It is markup if a block follows, and text if text
   * follows.
   */
  #layout = ''
  #layoutKept = false

  constructor(index = 0) {
    this.#index = index
  }

  /** Returns and removes the collected events. */
  take(): Event[] {
    const events = this.#events
    this.#events = []
    return events
  }

  text(delta: string, at: number): void {
    const text = this.#layout + delta
    this.#layout = ''
    const visible = this.thought && this.blank ? text.trimStart() : text
    this.blank &&= delta.trim() === ''
    this.thought &&= visible === ''
    this.#run('text', visible, at + delta.length - visible.length)
  }

  reasoning(delta: string, at: number): void {
    this.block()
    this.#run('reasoning', delta, at)
  }

  /** Adds whitespace or a fence beside a block. With `keep`, it is text if nothing follows. */
  layout(text: string, keep = false): void {
    this.#layoutKept = keep || (this.#layout !== '' && this.#layoutKept)
    this.#layout += text
  }

  /** Begins a block, so the layout before it was markup. */
  block(): void {
    this.#layout = ''
  }

  /** The index of the next call. */
  get nextIndex(): number {
    return this.#index
  }

  callStart(id: string, name: string): number {
    this.block()
    const index = this.#index++
    this.#events.push({ type: 'call-start', index, id, name })
    return index
  }

  callDelta(index: number, delta: string): void {
    const last = this.#events.at(-1)
    if (last?.type === 'call-delta' && last.index === index) last.delta += delta
    else this.#events.push({ type: 'call-delta', index, delta })
  }

  callEnd(index: number, call: Call): void {
    this.calledIn = call.protocol
    this.#events.push({ type: 'call-end', index, call })
  }

  malformed(malformed: Malformed, index?: number): void {
    this.block()
    this.blank = false
    this.broken = true
    this.#events.push({ type: 'malformed', ...malformed, ...(index !== undefined && { index }) })
  }

  result(result: Taken): void {
    this.block()
    this.blank = false
    this.#events.push({ type: 'result', ...result })
  }

  end(at: number, finish: Finish): void {
    if (this.#layoutKept) this.text('', at)
    this.#events.push({ type: 'end', at, finish })
  }

  /** Adds events that were collected separately. */
  append(events: readonly Event[]): void {
    this.block()
    for (const event of events) {
      this.#events.push(event)
      if (event.type === 'call-start') this.#index = event.index + 1
    }
  }

  #run(type: 'text' | 'reasoning', delta: string, at: number): void {
    const before = Math.min(Math.max(-at, 0), delta.length)
    const visible = delta.slice(before)
    if (visible === '') return
    const last = this.#events.at(-1)
    const from = at + before
    if (last?.type === type && last.at + last.delta.length === from) last.delta += visible
    else this.#events.push({ type, delta: visible, at: from })
  }
}
