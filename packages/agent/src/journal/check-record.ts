import { JournalError, type JournalRecord, RECORD_KINDS } from './journal.ts'
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
  if (text.length > MAX_LENGTH) {
    throw new JournalError(
      'failed',
      `The record ${key} has ${text.length} characters; the maximum is ${MAX_LENGTH}.`,
    )
  }
  return { key, kind, value, text, time }
}

/** Checks the name that a person gives a run. */
export function checkRunName(name: string): void {
  if (typeof name !== 'string' || name.length === 0 || name.length > 200 || /\p{Cs}/u.test(name))
    throw new TypeError(`expected a run name of 1 to 200 characters, got ${display(name)}`)
}

const RUN_ID = /^[A-Za-z0-9][\w.:-]{0,199}$/
const KEY = /^[^\p{C}]{1,500}$/u
const MAX_LENGTH = 64 << 20

function display(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value
}
