import type { Message } from '../context/message.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'
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

/** Waits for the end of `run`, `turn` or `cycle` and returns its result, for callers who do not need the events. */
export async function collect<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  let next = await events.next()
  while (!next.done) next = await events.next()
  return next.value
}
