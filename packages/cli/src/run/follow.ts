import type { RunEvent } from '@toolglot/agent'
import { canonicalJson } from '@toolglot/permissions/internal'
import type { PromptQueue } from '../person/keyboard.ts'

/** The end of a run. */
export type Ended = Extract<RunEvent, { type: 'run-end' }> & {
  /** True if a call was denied because there was no user to ask. */
  readonly nobodyToAsk: boolean
  /** True if a call was refused only because of its format, and was not repeated correctly. */
  readonly otherProtocol: boolean
  /** True if the run was not resumed because the model, the tools or the folder changed. */
  readonly isChanged: boolean
}

/** Shows a run until it ends. Nothing is shown while a question is open. */
export async function follow(
  events: AsyncIterable<RunEvent>,
  {
    show,
    promptQueue,
  }: { readonly show: (event: RunEvent) => void | Promise<void>; promptQueue: PromptQueue },
): Promise<Ended> {
  let nobodyToAsk = false
  let isChanged = false
  /** Calls by their id. */
  const called = new Map<string, string>()
  const refused = new Set<string>()
  for await (const event of events) {
    await promptQueue.idle()
    await show(event)
    if (event.type === 'approval-request') promptQueue.markShown(event.request.hash)
    if (event.type === 'question') promptQueue.markShown(event.questions)
    if (event.type === 'warning') promptQueue.markShown(event.code)
    isChanged ||= event.type === 'warning' && event.code === 'changed'
    if (event.type === 'call-end') {
      const { id, name, args } = event.call
      called.set(id, canonicalJson([name, args]))
    }
    if (event.type === 'tool-end') {
      const { call, name, outcome } = event
      const what = called.get(call) ?? name
      const code = outcome.failure?.details?.['code']
      nobodyToAsk ||= code === 'nobody_to_ask'
      if (code === 'other_protocol') refused.add(what)
      else if (outcome.status === 'success') refused.delete(what)
    }
    if (event.type === 'run-end')
      return {
        ...event,
        nobodyToAsk,
        otherProtocol: refused.size > 0,
        isChanged: isChanged && event.reason === 'denied',
      }
  }
  throw new Error('The events ended before the run did.')
}
