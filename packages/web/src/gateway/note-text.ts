import type { Translate } from '../words/words.ts'

/** What the gateway left out or changed, in words; what is not known here stays as it is. */
export function noteText(note: string, t: Translate): string {
  if (note.startsWith('dropped:')) return t('gateway.note.dropped', { what: note.slice(8) })
  if (note.startsWith('retry:')) return t('gateway.note.retry', { why: note.slice(6) })
  switch (note) {
    case 'tools-compact':
      return t('gateway.note.compact')
    case 'refused-call':
      return t('gateway.note.refusedCall')
    case 'forged-result':
      return t('gateway.note.forged')
    case 'call_left_as_text':
      return t('gateway.note.leftAsText')
    default:
      return note
  }
}
