import type { Problem } from '../reply.ts'
import type { Block } from './grammar.ts'
import type { Message } from './message.ts'

/** The place where reading stopped, and the reason. */
export interface ReadFailure {
  readonly problem: Problem
  readonly expected: string
  readonly at: number
}

/** Records a failure of a block. Only the furthest failure is kept. */
export function fail(message: Message, block: Block, failure: ReadFailure): void {
  if (message.failure && message.failure.at > failure.at) return
  message.failure = failure
  message.onFailure?.(block, failure)
}

/** True if the model ended the reply, rather than a limit or an error. */
export function stopped({ turn: { finish } }: Pick<Message, 'turn'>): boolean {
  return finish === 'stop' || finish === 'stop-string'
}

/** True if the reply was cut off and all of it has been read, so the following text is unknown. */
export function wasCut(message: Pick<Message, 'input' | 'turn'>): boolean {
  const { input } = message
  return input.finished && input.over && !stopped(message)
}
