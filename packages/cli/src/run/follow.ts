import type { RunEvent } from '@toolglot/agent'
import type { PromptQueue } from '../person/prompt-queue.ts'

/** The end of a run. */
export type Ended = Extract<RunEvent, { type: 'run-end' }> & {
  /** A call was denied because there was nobody to ask. */
  readonly nobodyToAsk: boolean
  /** A call was refused because it was not written in the selected protocol, and its tool was not called properly later. */
  readonly otherProtocol: boolean
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
  const refused = new Set<string>()
  for await (const event of events) {
    await promptQueue.idle()
    await show(event)
    if (event.type === 'approval-request') promptQueue.markShown(event.request.hash)
    if (event.type === 'question') promptQueue.markShown(event.questions)
    if (event.type === 'warning') promptQueue.markShown(event.code)
    if (event.type === 'tool-end') {
      const { name, outcome } = event
      const code = outcome.failure?.details?.['code']
      nobodyToAsk ||= code === 'nobody_to_ask'
      if (code === 'other_protocol') refused.add(name)
      else if (outcome.status === 'success') refused.delete(name)
    }
    if (event.type === 'run-end') return { ...event, nobodyToAsk, otherProtocol: refused.size > 0 }
  }
  throw new Error('The events ended before the run did.')
}
