import type { RunEvent } from '@toolglot/agent'
import type { StreamedEvent } from './event-reader.ts'

/** The problems in the events that a client has read. */
export function problemsOf(events: readonly StreamedEvent[]): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  let seq = -1
  let preview = { number: -1, epoch: '' }
  let text = ''
  for (const { id, event } of events) {
    if (ids.has(id)) problems.push(`${id} came twice`)
    ids.add(id)
    if (!event.transient) {
      if (id !== String(seq + 1) || event.seq !== seq + 1) problems.push(`${id} came after ${seq}`)
      if (event.type === 'text' && !event.delta.startsWith(text))
        problems.push(`the preview of ${id} differs: ${text}`)
      if (event.type === 'text') text = ''
      seq = event.seq
      preview = { number: -1, epoch: '' }
      continue
    }
    const [after, number, epoch = ''] = id.split('.')
    if (after !== String(seq) || event.seq !== seq) problems.push(`${id} came after ${seq}`)
    const isNew = epoch !== preview.epoch
    if (Number(number) !== (isNew ? 0 : preview.number + 1))
      problems.push(`${id} came after the preview ${preview.number} of ${preview.epoch}`)
    if (isNew) text = ''
    if (event.type === 'text') text += event.delta
    preview = { number: Number(number), epoch }
  }
  return problems
}

/** The events that are in the journal. */
export function recordedOf(events: readonly StreamedEvent[]): RunEvent[] {
  return events.flatMap(({ event }) => (event.transient ? [] : [event]))
}
