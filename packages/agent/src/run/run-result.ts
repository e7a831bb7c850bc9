import type { Message } from '../context/message.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'
import type { RunEvent } from './event.ts'
import type { RunEnd } from './resume/history.ts'

/** How a run ended, and what happened in it. */
export interface RunResult extends RunEnd {
  /** The id of the run. */
  readonly run: string
  /** How many turns the model took. If the run was resumed, they are counted since. */
  readonly turns: number
  /** The calls that were made, in the order in which they ended. If the run was resumed, since then. */
  readonly calls: readonly CallRecord[]
  /** The whole conversation, for another run to continue. */
  readonly messages: readonly Message[]
  /** How long it took, in milliseconds. */
  readonly duration: number
}

/** A call, and how it ended. */
export interface CallRecord {
  /** The id of the call. */
  readonly call: string
  readonly name: string
  /** The arguments that the tool got, or would have got. */
  readonly args: Readonly<Record<string, unknown>>
  readonly outcome: ToolOutcome
}

/** Collects the calls of a run from its events. */
export class CallCollector {
  readonly calls: CallRecord[] = []
  turns = 0
  readonly #args = new Map<string, CallRecord['args']>()

  add(event: RunEvent): void {
    switch (event.type) {
      case 'turn-end':
        this.turns++
        break
      case 'call-end':
        this.#args.set(event.call.id, event.call.args)
        break
      case 'tool-start':
        this.#args.set(event.call, event.args)
        break
      case 'tool-end': {
        const { call, name, outcome } = event
        const args = outcome.args ?? this.#args.get(call) ?? {}
        this.#args.delete(call)
        this.calls.push({ call, name, args, outcome })
        break
      }
      default:
    }
  }
}
