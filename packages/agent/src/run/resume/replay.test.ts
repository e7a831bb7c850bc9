import { expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import type { RunEvent } from '../event.ts'
import { replay } from './replay.ts'

/** Each text as one event, without progress. */
function gist(events: readonly RunEvent[]): unknown[] {
  const all: { type: string; [key: string]: unknown }[] = []
  for (const { run: _run, seq: _seq, time: _time, ...event } of events) {
    const last = all.at(-1)
    if (event.type === 'call-delta' || event.type === 'approval-request') continue
    if (event.type === 'approval') all.push({ type: 'approval', verdict: event.approval.verdict })
    else if (event.type === 'text' && last?.type === 'text')
      last['delta'] = `${String(last['delta'])}${event.delta}`
    else all.push({ ...event })
  }
  return all
}

test('replays a run from its records', async () => {
  const journal = memoryJournal()
  const model = scripted([
    `<think>\nhm\n</think>\nLooking. ${call('look', { key: 'a' })}`,
    `<tool_call>{"name" "x"}</tool_call>${call('put', { value: 'b' })}`,
    'It is there.',
    'Hello.',
  ])
  const options = { model, tools: [reader(), writer()], journal, id: 'run-1' }
  const approve = async () => ({ verdict: 'allow' }) as const
  const first = await collectEvents({ ...options, prompt: 'What is a?', approve })
  const second = await collectEvents({ ...options, prompt: 'Hi', resume: true, approve })
  const replayed = gist([...replay('run-1', await journal.read('run-1'))])
  // An approval is recorded before the tool starts.
  const order = (events: unknown[]): unknown[] =>
    events.filter((event) => (event as RunEvent).type !== 'approval')
  const lived = [...first.events, ...second.events.filter(({ type }) => type !== 'run-start')]
  expect(order(replayed)).toEqual(order(gist(lived)))
  expect(replayed).toContainEqual({ type: 'approval', verdict: 'allow' })
})
