import type { RunEvent } from './event.ts'

type Ended = Extract<RunEvent, { type: 'run-end' }>

/** How a run ended, for who does not want to see it happen. */
export async function collectRun(events: AsyncIterable<RunEvent>): Promise<RunResult> {
  const calls: Extract<RunEvent, { type: 'tool-end' }>[] = []
  let turns = 0
  for await (const event of events) {
    if (event.type === 'turn-end') turns++
    if (event.type === 'tool-end') calls.push(event)
    if (event.type === 'run-end') {
      const { run, reason, text, usage, error } = event
      return { run, reason, text, usage, turns, calls, ...(error !== undefined && { error }) }
    }
  }
  throw new Error('The events ended before the run did.')
}

export interface RunResult extends Pick<Ended, 'run' | 'reason' | 'text' | 'usage' | 'error'> {
  readonly turns: number
  readonly calls: readonly Pick<
    Extract<RunEvent, { type: 'tool-end' }>,
    'call' | 'name' | 'outcome'
  >[]
}
