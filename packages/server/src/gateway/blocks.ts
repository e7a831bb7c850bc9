import type { RunCall } from '@toolglot/agent'
import type { AnswerEnd, AnswerEvent } from './answer-event.ts'

/** A complete part of an answer. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly call: RunCall
      /** The arguments of the call, as streamed. */
      readonly json: string
    }

/** An answer as consecutive blocks: each ends before the next begins. */
export type BlockEvent =
  | { readonly type: 'start'; readonly index: number; readonly kind: 'text' | 'reasoning' }
  | {
      readonly type: 'start'
      readonly index: number
      readonly kind: 'call'
      readonly id: string
      readonly name: string
    }
  | {
      readonly type: 'delta'
      readonly index: number
      readonly kind: Block['kind']
      readonly delta: string
    }
  | { readonly type: 'stop'; readonly index: number; readonly block: Block }
  | { readonly type: 'end'; readonly end: AnswerEnd }

type CallEvent = Extract<AnswerEvent, { index: number }>

/**
 * Converts the events of an answer to blocks. Calls written in parallel are placed one after the
 * other.
 */
export class BlockReader {
  #index = -1
  /** The current block of text. */
  #open: { readonly kind: 'text' | 'reasoning'; text: string } | undefined
  /** The current call, and its arguments so far. */
  #call: { readonly index: number; json: string } | undefined
  /** Events held back until that call ends. */
  #waiting: AnswerEvent[] = []

  /** Converts an event to events of blocks. */
  read(event: AnswerEvent): readonly BlockEvent[] {
    if (this.#call && !(isOfCall(event) && event.index === this.#call.index)) {
      this.#waiting.push(event)
      return []
    }
    switch (event.type) {
      case 'text':
      case 'reasoning': {
        const { type: kind, delta } = event
        const steps: BlockEvent[] = []
        if (this.#open?.kind !== kind) {
          steps.push(...this.#close(), { type: 'start', index: ++this.#index, kind })
          this.#open = { kind, text: '' }
        }
        this.#open.text += delta
        return [...steps, { type: 'delta', index: this.#index, kind, delta }]
      }
      case 'call-start': {
        const { id, name, index } = event
        const closed = this.#close()
        this.#call = { index, json: '' }
        return [...closed, { type: 'start', index: ++this.#index, kind: 'call', id, name }]
      }
      case 'call-delta':
        this.#call!.json += event.delta
        return [{ type: 'delta', index: this.#index, kind: 'call', delta: event.delta }]
      case 'call-end': {
        const { json } = this.#call!
        const block: Block = { kind: 'call', call: event.call, json }
        const waiting = this.#waiting
        this.#call = undefined
        this.#waiting = []
        const stop: BlockEvent = { type: 'stop', index: this.#index, block }
        return [stop, ...waiting.flatMap((each) => this.read(each))]
      }
      case 'end':
        return [...this.#close(), event]
    }
  }

  #close(): readonly BlockEvent[] {
    if (!this.#open) return []
    const block = this.#open
    this.#open = undefined
    return [{ type: 'stop', index: this.#index, block }]
  }
}

function isOfCall(event: AnswerEvent): event is CallEvent {
  return 'index' in event
}

/** The blocks of a complete answer, and its end. */
export function blocksOf(events: readonly AnswerEvent[]): {
  readonly blocks: readonly Block[]
  readonly end: AnswerEnd
} {
  const reader = new BlockReader()
  const blocks: Block[] = []
  let end: AnswerEnd | undefined
  for (const event of events)
    for (const step of reader.read(event)) {
      if (step.type === 'stop') blocks.push(step.block)
      else if (step.type === 'end') ({ end } = step)
    }
  return { blocks, end: end! }
}

/** The joined text of all blocks of one kind. */
export function joined(blocks: readonly Block[], kind: 'text' | 'reasoning'): string {
  return blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join('')
}
