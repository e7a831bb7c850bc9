import type { Message } from './message.ts'

/** Whether the model ended the reply, rather than a limit or an error. */
export function stopped({ turn: { finish } }: Pick<Message, 'turn'>): boolean {
  return finish === 'stop' || finish === 'stop-string'
}

/** Whether the reply was cut, and everything that arrived is read: what would have followed here is unknown. */
export function wasCut(message: Pick<Message, 'input' | 'turn'>): boolean {
  const { input } = message
  return input.finished && input.over && !stopped(message)
}
