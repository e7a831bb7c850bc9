import type { RunEvent } from '@toolglot/agent'
import type { PromptQueue } from '../person/prompt-queue.ts'

/** The end of a run. */
export type Ended = Extract<RunEvent, { type: 'run-end' }> & {
  /** A call was denied because there was nobody to ask. */
  readonly nobodyToAsk: boolean
}

/** Shows a run until it ends. Nothing is shown while a question waits for an answer. */
export async function follow(
  events: AsyncIterable<RunEvent>,
  {
    show,
    promptQueue,
  }: { readonly show: (event: RunEvent) => void | Promise<void>; promptQueue: PromptQueue },
): Promise<Ended> {
  let nobodyToAsk = false
  for await (const event of events) {
    await promptQueue.idle()
    await show(event)
    if (event.type === 'approval-request') promptQueue.markShown(event.request.hash)
    if (event.type === 'question') promptQueue.markShown(event.questions)
    if (event.type === 'warning') promptQueue.markShown(event.code)
    if (event.type === 'tool-end')
      nobodyToAsk ||= event.outcome.failure?.details?.['code'] === 'nobody_to_ask'
    if (event.type === 'run-end') return { ...event, nobodyToAsk }
  }
  throw new Error('The events ended before the run did.')
}
