import type { JournalRecord } from './journal.ts'

/** A record whose value is parsed only when it is first used: most values of a long run never are. */
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
