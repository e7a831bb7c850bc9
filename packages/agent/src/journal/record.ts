import { CONTENT, countImages, isContent, textOf } from '../model/chat-message.ts'
import { mustBe } from '@toolglot/permissions/errors/internal'
import { JournalError, type JournalRecord, RECORD_KINDS } from './journal.ts'
import { messageKey } from './keys.ts'
import type { EncodedRecord } from './storage.ts'

/** Checks a run's id: it must be easy to type, valid in a URL, and never a path. */
export function checkRunId(run: string): void {
  if (typeof run !== 'string' || !RUN_ID.test(run)) {
    throw new TypeError(
      `A run id must consist of 1 to 200 letters, digits and . _ : -, and start with a letter or digit, but it is ${display(run)}.`,
    )
  }
}

/** Checks a record and encodes its value as JSON. */
export function encodeRecord(
  { key, kind, value }: Omit<JournalRecord, 'time'>,
  time: number = Date.now(),
): EncodedRecord {
  if (typeof key !== 'string' || !KEY.test(key))
    throw new TypeError(
      `A key must consist of 1 to 500 printable characters, but it is ${display(key)}.`,
    )
  if (!RECORD_KINDS.includes(kind))
    throw new TypeError(
      `The kind of a record must be one of ${RECORD_KINDS.join(', ')}, not ${display(kind)}.`,
    )
  const text = JSON.stringify(value ?? null) as string | undefined
  if (text === undefined)
    throw new TypeError(`The value of a record must be JSON, not a ${typeof value}.`)
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
    throw new TypeError(
      `The name of a run must have 1 to 200 characters, but it is ${display(name)}.`,
    )
}

const RUN_ID = /^[A-Za-z0-9][\w.:-]{0,199}$/
const KEY = /^[^\p{C}]{1,500}$/u
const MAX_RECORD = 64 << 20

function display(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `of type ${typeof value}`
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
  if (!isContent(content)) throw new TypeError(mustBe('a message', CONTENT, content))
  const { length } = textOf(content)
  if ((length === 0 && countImages(content) === 0) || length > MAX_MESSAGE)
    throw new TypeError(`A message must have 1 to ${MAX_MESSAGE} characters, not ${length}.`)
}

/** Checks the numbers of the messages in an added run, because runs read messages by number. */
export function checkMessages(records: readonly JournalRecord[]): void {
  const messages = records.filter(({ kind }) => kind === 'message')
  for (const [number, { key, value }] of messages.entries()) {
    if (key !== messageKey(number))
      throw new TypeError(
        `The next message must have the key ${messageKey(number)}, not ${JSON.stringify(key)}.`,
      )
    const { type, content } = (value ?? {}) as { type?: unknown; content?: unknown }
    if (type === 'stop') continue
    if (type !== 'message')
      throw new TypeError(`The value of the record ${key} must have the type message or stop.`)
    checkMessageContent(content)
  }
}

const MAX_MESSAGE = 1_000_000
