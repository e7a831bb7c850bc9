import type { Message } from './message.ts'

/** Whether the model ended the reply, rather than a limit or an error. */
export function stopped({ turn: { finish } }: Pick<Message, 'turn'>): boolean {
  return finish === 'stop' || finish === 'stop-string'
}
