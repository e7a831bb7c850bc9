import type { JournalRecord } from './journal.ts'

/** The key of a message, counted from 0 in its run. */
export function messageKey(number: number): string {
  return `message/${number}`
}

/** Checks the text of a message to a run. */
export function checkMessageText(text: string): void {
  const length = typeof text === 'string' ? text.length : undefined
  if (!length || length > MAX_LENGTH) {
    const got = length === undefined ? typeof text : `${length}`
    throw new TypeError(`expected a message of 1 to ${MAX_LENGTH} characters, got ${got}`)
  }
}

/** Checks the messages among the records of a run that is added: a run reads them by their numbers. */
export function checkMessages(records: readonly JournalRecord[]): void {
  const messages = records.filter(({ kind }) => kind === 'message')
  for (const [number, { key, value }] of messages.entries()) {
    if (key !== messageKey(number))
      throw new TypeError(`expected the message ${messageKey(number)}, got ${JSON.stringify(key)}`)
    const { type, content } = (value ?? {}) as { type?: unknown; content?: unknown }
    if (type === 'stop') continue
    if (type !== 'message')
      throw new TypeError(`expected a value of type message or stop in the record ${key}`)
    checkMessageText(content as string)
  }
}

const MAX_LENGTH = 1_000_000
