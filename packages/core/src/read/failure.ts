import type { Problem } from '../reply.ts'
import type { Block } from './grammar.ts'
import type { Message } from './message.ts'

/** Where a reader had to stop, and why. */
export interface ReadFailure {
  readonly problem: Problem
  readonly expected: string
  readonly at: number
}

/** A block cannot be read any further. The furthest such place is remembered. */
export function fail(message: Message, block: Block, failure: ReadFailure): void {
  if (message.failure && message.failure.at > failure.at) return
  message.failure = failure
  message.onFailure?.(block, failure)
}

/** Whether the model ended the reply, rather than a limit or an error. */
export function stopped({ turn: { finish } }: Pick<Message, 'turn'>): boolean {
  return finish === 'stop' || finish === 'stop-string'
}

/** Whether the reply was cut, and everything that arrived is read: what would have followed here is unknown. */
export function wasCut(message: Pick<Message, 'input' | 'turn'>): boolean {
  const { input } = message
  return input.finished && input.over && !stopped(message)
}
