import type { RunEvent } from './event.ts'

type RunEndEvent = Extract<RunEvent, { type: 'run-end' }>
type ToolEndEvent = Extract<RunEvent, { type: 'tool-end' }>

/** Waits for the end of a run and returns its result, for callers who do not need the events. */
export async function collect(events: AsyncIterable<RunEvent>): Promise<RunResult> {
  const calls: ToolEndEvent[] = []
  let turns = 0
  for await (const event of events) {
    if (event.type === 'turn-end') turns++
    if (event.type === 'tool-end') calls.push(event)
    if (event.type === 'run-end') {
      const { run, reason, text, usage, error, pending } = event
      return {
        run,
        reason,
        text,
        usage,
        turns,
        calls,
        ...(error !== undefined && { error }),
        ...(pending && { pending }),
      }
    }
  }
  throw new Error('The events ended before the run did.')
}

/** How a run ended, and the calls that it made. */
export interface RunResult extends Pick<
  RunEndEvent,
  'run' | 'reason' | 'text' | 'usage' | 'error' | 'pending'
> {
  /** How many turns the model took. */
  readonly turns: number
  readonly calls: readonly Pick<ToolEndEvent, 'call' | 'name' | 'outcome'>[]
}
