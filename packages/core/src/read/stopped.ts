import type { Message } from './message.ts'

/** The reply ended by itself, and was not cut. */
export function stopped({ turn: { finish } }: Message): boolean {
  return finish === 'stop' || finish === 'stop-string'
}
