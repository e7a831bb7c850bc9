import type { RunEvent } from '@toolglot/agent'
import type { Turns } from '../person/turns.ts'

export type Ended = Extract<RunEvent, { type: 'run-end' }> & {
  /** A call was denied because there was nobody to ask. */
  readonly unasked: boolean
}

/** Shows a run until it ends. Nothing is shown while a person is asked something. */
export async function follow(
  events: AsyncIterable<RunEvent>,
  { show, turns }: { readonly show: (event: RunEvent) => void | Promise<void>; turns: Turns },
): Promise<Ended> {
  let unasked = false
  for await (const event of events) {
    await turns.quiet()
    await show(event)
    if (event.type === 'approval-request') turns.seen(event.request.hash)
    if (event.type === 'question') turns.seen(event.questions)
    if (event.type === 'warning') turns.seen(event.code)
    if (event.type === 'tool-end')
      unasked ||= event.outcome.failure?.details?.['code'] === 'nobody_to_ask'
    if (event.type === 'run-end') return { ...event, unasked }
  }
  throw new Error('The events ended before the run did.')
}
