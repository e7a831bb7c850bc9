import type { JournalError } from '../../src/journal/journal.ts'
import { textOf } from '../../src/model/chat-message.ts'
import { type Program, RUN } from './program.ts'

/**
 * Reports the messages it receives until it is told to stop. Unless IDLE is set, a timer keeps
 * the process alive.
 */
const program: Program = async ({ journal, effect }) => {
  const log = await journal.open(RUN)
  const never = new AbortController().signal
  const busy = process.env['IDLE'] ? undefined : setInterval(() => {}, 1000)
  for (let read = 0; ; read++) {
    const message = await log.waitForMessage(read, never)
    effect(message.type === 'stop' ? 'stopped' : `message ${textOf(message.content)}`)
    if (message.type !== 'stop') continue
    const end = { key: 'end/0', kind: 'value', value: { reason: 'cancelled' } } as const
    try {
      await log.append(end, { messagesRead: read + 1 })
      break
    } catch (error) {
      if ((error as JournalError).problem !== 'unread') throw error
    }
  }
  clearInterval(busy)
  await log.close()
}

export default program
