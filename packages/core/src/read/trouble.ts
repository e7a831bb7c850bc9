import type { Problem } from '../reply.ts'
import type { Block } from './grammar.ts'
import type { Message } from './message.ts'

/** Where a reader had to stop, and why. */
export interface Trouble {
  readonly problem: Problem
  readonly expected: string
  readonly at: number
}

/** A block cannot be read any further. The furthest such place is remembered. */
export function fail(message: Message, block: Block, trouble: Trouble): void {
  if (message.trouble && message.trouble.at > trouble.at) return
  message.trouble = trouble
  message.onTrouble?.(block, trouble)
}
