import type { Message } from '../context/message.ts'
import type { Content } from '../model/content.ts'

/** The messages that a conversation starts with. */
export function messagesOf({
  system,
  messages = [],
  prompt,
}: {
  readonly system?: string
  readonly messages?: readonly Message[]
  readonly prompt?: Content
}): readonly Message[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...messages,
    ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
  ]
}

/** Throws unless there is something to reply to. */
export function checkMessages(messages: readonly Message[]): void {
  if (messages.every(({ role }) => role === 'system'))
    throw new TypeError('Expected a prompt, or messages that include a user message.')
}
