import type { Message } from '../context/message.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'
import type { RunCall, RunEvent } from './event.ts'
import type { RunEnd } from './resume/history.ts'

/** How a run ended, and what happened in it. */
export interface RunResult extends RunEnd {
  /** The id of the run. */
  readonly run: string
  /** How many turns the model took. If the run was resumed, they are counted since. */
  readonly turns: number
  /** The calls, in the order in which they were made. If the run was resumed, those that ended since. */
  readonly calls: readonly CallRecord[]
  /** The whole conversation, for another run to continue. Empty if the run had ended before, and nothing was done. */
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

/** Collects the calls of a run from its recorded events, in the order in which the model made them. */
export class CallCollector {
  turns = 0
  /** The rules that a person allowed. */
  readonly rules: string[] = []
  readonly #calls: OpenCall[] = []
  /** The calls that have not ended. */
  readonly #open = new Set<OpenCall>()

  get calls(): readonly CallRecord[] {
    return this.#calls.flatMap(({ outcome, ...call }) => (outcome ? [{ ...call, outcome }] : []))
  }

  /** Adds a call that has not ended yet. */
  expect({ id, name, args }: Pick<RunCall, 'id' | 'name' | 'args'>): OpenCall {
    const open: OpenCall = { call: id, name, args, outcome: undefined }
    this.#calls.push(open)
    this.#open.add(open)
    return open
  }

  /** Adds the calls of a recorded event. */
  add(event: RunEvent): void {
    if (event.type === 'turn-end') this.turns++
    else if (event.type === 'approval') this.rules.push(...(event.rules ?? []))
    else if (event.type === 'tool-start') this.#find(event.call, event.name).args = event.args
    else if (event.type === 'tool-end') {
      const { call, name, outcome } = event
      const open = this.#find(call, name)
      this.#open.delete(open)
      open.outcome = outcome
      open.args = outcome.args ?? open.args
    }
  }

  /** A call of a turn that another process recorded is not known yet. */
  #find(call: string, name: string): OpenCall {
    for (const open of this.#open) if (open.call === call) return open
    return this.expect({ id: call, name, args: {} })
  }
}

interface OpenCall extends Pick<CallRecord, 'call' | 'name'> {
  args: CallRecord['args']
  outcome: ToolOutcome | undefined
}

/** Waits for the end of `run`, `turn` or `cycle` and returns its result, for callers who do not need the events. */
export async function collect<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  let next = await events.next()
  while (!next.done) next = await events.next()
  return next.value
}
