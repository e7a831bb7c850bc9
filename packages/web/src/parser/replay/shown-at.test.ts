import { expect, test } from 'vitest'
import { readReply } from '../worker/read-reply.ts'
import { countsAt, eventStep, shownAt } from './shown-at.ts'

const text = 'Look. <tool_call>{"name": "Read", "arguments": {"a": "b"}}</tool_call> Done.'
const options = { protocol: 'hermes', finish: 'stop', startsInReasoning: false } as const

test('shows the reading at each step, and moves between events', async () => {
  const { reading } = await readReply({ text, options, chunk: 4 }, () => undefined)
  const { count } = reading.steps
  const start = shownAt(reading, 0)
  expect(start).toMatchObject({ until: 0, pieces: 0, listed: 0, openName: undefined })
  const begun = eventStep(reading, 0, 1)
  const writing = shownAt(reading, begun)
  expect(writing.openName).toBe('Read')
  expect(countsAt(reading, writing).calls).toBe(0)
  const ended = eventStep(reading, begun, 1)
  const written = shownAt(reading, ended)
  expect(written.openName).toBeUndefined()
  expect(countsAt(reading, written).calls).toBe(1)
  expect(eventStep(reading, ended, 1)).toBe(count)
  expect(eventStep(reading, count, -1)).toBe(ended)
  expect(eventStep(reading, begun, -1)).toBe(0)
  expect(shownAt(reading, undefined)).toEqual(shownAt(reading, count + 5))
  expect(shownAt(reading, undefined).until).toBe(text.length)
})
