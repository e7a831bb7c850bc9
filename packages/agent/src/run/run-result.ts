import type { Message } from '../context/message.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'
import type { RunEnd } from './resume/history.ts'

/** The result of a run: its end, calls and messages. */
export interface RunResult extends RunEnd {
  /** The id of the run. */
  readonly run: string
  /** The number of turns. For a resumed run, only those since it was resumed. */
  readonly turns: number
  /**
   * The calls, in the order in which the model wrote them. For a resumed run, only those that have
   * ended since it was resumed.
   */
  readonly calls: readonly CallRecord[]
  /**
   * The whole conversation, which another run can continue. Empty if the run had already ended and
   * nothing was done.
   */
  readonly messages: readonly Message[]
  /** The duration in milliseconds. */
  readonly duration: number
}

/** A call and its outcome. */
export interface CallRecord {
  /** The id of the call. */
  readonly call: string
  readonly name: string
  /** The arguments passed to the tool, or that would have been. */
  readonly args: Readonly<Record<string, unknown>>
  readonly outcome: ToolOutcome
}

/**
 * Runs `run`, `turn` or `cycle` to the end and returns its result, for callers who do not need the
 * events.
 */
export async function collect<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  let next = await events.next()
  while (!next.done) next = await events.next()
  return next.value
}
