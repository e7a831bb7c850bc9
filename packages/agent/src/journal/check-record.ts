import { JournalError, type JournalRecord, RECORD_KINDS } from './journal.ts'

/** A run's id: something that can be typed, be part of an address and be no path. */
export function checkRun(run: string): void {
  if (typeof run !== 'string' || !RUN.test(run)) {
    throw new TypeError(
      `A run's id is 1 to 200 letters, digits and . _ : - and begins with a letter or digit, not ${shown(run)}.`,
    )
  }
}

/** The record as JSON keeps it: the text of its value. */
export function checkRecord({ key, kind, value }: Omit<JournalRecord, 'time'>): string {
  if (typeof key !== 'string' || !KEY.test(key))
    throw new TypeError(`A key is 1 to 500 printable characters, not ${shown(key)}.`)
  if (!RECORD_KINDS.includes(kind))
    throw new TypeError(`A record is one of ${RECORD_KINDS.join(', ')}, not ${shown(kind)}.`)
  const text = JSON.stringify(value ?? null) as string | undefined
  if (text === undefined)
    throw new TypeError(`What is recorded is something JSON can hold, not a ${typeof value}.`)
  if (text.length > LARGEST) {
    throw new JournalError(
      'failed',
      `A record holds ${LARGEST} characters at most; ${key} would have ${text.length}.`,
    )
  }
  return text
}

export function checkName(name: string): void {
  if (typeof name !== 'string' || name.length === 0 || name.length > 200 || /\p{Cs}/u.test(name))
    throw new TypeError(`A run's name is a text of 1 to 200 characters, not ${shown(name)}.`)
}

const RUN = /^[A-Za-z0-9][\w.:-]{0,199}$/
const KEY = /^[^\p{C}]{1,500}$/u
const LARGEST = 64 << 20

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value
}
