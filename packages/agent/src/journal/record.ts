import { CONTENT, countImages, isContent, textOf } from '../model/chat-message.ts'
import { describeValue } from '@toolglot/permissions/internal'
import { JournalError, type JournalRecord, RECORD_KINDS } from './journal.ts'
import { messageKey } from './keys.ts'
import type { EncodedRecord } from './storage.ts'

/** Checks a run's id: it must be easy to type, valid in a URL, and never a path. */
export function checkRunId(run: string): void {
  if (typeof run !== 'string' || !RUN_ID.test(run)) {
    throw new TypeError(
      `expected a run id of 1 to 200 letters, digits and . _ : - that starts with a letter or digit, got ${display(run)}`,
    )
  }
}

/** Checks a record and encodes its value as JSON. */
export function encodeRecord(
  { key, kind, value }: Omit<JournalRecord, 'time'>,
  time: number = Date.now(),
): EncodedRecord {
  if (typeof key !== 'string' || !KEY.test(key))
    throw new TypeError(`expected a key of 1 to 500 printable characters, got ${display(key)}`)
  if (!RECORD_KINDS.includes(kind))
    throw new TypeError(
      `expected a record of kind ${RECORD_KINDS.join(', ')}, got ${display(kind)}`,
    )
  const text = JSON.stringify(value ?? null) as string | undefined
  if (text === undefined)
    throw new TypeError(`expected a value that JSON can represent, got a ${typeof value}`)
  if (text.length > MAX_RECORD) {
    throw new JournalError(
      'failed',
      `The record ${key} has ${text.length} characters; the maximum is ${MAX_RECORD}.`,
    )
  }
  return { key, kind, value, text, time }
}

/** Checks a display name for a run. */
export function checkRunName(name: string): void {
  if (typeof name !== 'string' || name.length === 0 || name.length > 200 || /\p{Cs}/u.test(name))
    throw new TypeError(`expected a run name of 1 to 200 characters, got ${display(name)}`)
}

const RUN_ID = /^[A-Za-z0-9][\w.:-]{0,199}$/
const KEY = /^[^\p{C}]{1,500}$/u
const MAX_RECORD = 64 << 20

function display(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value
}

/** Parses the value of a record on first use: most values of a long run are never used. */
export function storedRecord(
  { key, kind, time }: Omit<JournalRecord, 'value'>,
  text: string | Uint8Array,
): JournalRecord {
  let unread: string | Uint8Array | undefined = text
  let value: unknown
  return {
    key,
    kind,
    get value() {
      if (unread !== undefined)
        value = JSON.parse(typeof unread === 'string' ? unread : utf8.decode(unread))
      unread = undefined
      return value
    },
    time,
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Checks a message to a run. The limit on the size of records also limits its images. */
export function checkMessageContent(content: unknown): void {
  if (!isContent(content))
    throw new TypeError(`expected a message that is ${CONTENT}, got ${describeValue(content)}`)
  const { length } = textOf(content)
  if ((length === 0 && countImages(content) === 0) || length > MAX_MESSAGE)
    throw new TypeError(`expected a message of 1 to ${MAX_MESSAGE} characters, got ${length}`)
}

/** Checks the numbers of the messages in an added run, because runs read messages by number. */
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

const MAX_MESSAGE = 1_000_000
