import { CONTENT, countImages, isContent, textOf } from '../model/content.ts'
import { describeValue } from '../tool/describe-value.ts'
import type { JournalRecord } from './journal.ts'
import { printKey } from './keys.ts'

/** The key of a message, counted from 0 in its run. */
export function messageKey(number: number): string {
  return printKey({ type: 'message', number })
}

/** Checks a message to a run. The size of its images is limited like that of every record. */
export function checkMessageContent(content: unknown): void {
  if (!isContent(content))
    throw new TypeError(`expected a message that is ${CONTENT}, got ${describeValue(content)}`)
  const { length } = textOf(content)
  if ((length === 0 && countImages(content) === 0) || length > MAX_LENGTH)
    throw new TypeError(`expected a message of 1 to ${MAX_LENGTH} characters, got ${length}`)
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
    checkMessageContent(content)
  }
}

const MAX_LENGTH = 1_000_000
