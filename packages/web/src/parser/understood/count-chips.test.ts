import { expect, test } from 'vitest'
import { readReply } from '../worker/read-reply.ts'
import { countsAt, shownAt } from '../replay/shown-at.ts'
import { firstOf, firstProblem } from './count-chips.tsx'

async function read(text: string) {
  const options = {
    protocol: 'hermes',
    finish: 'length',
    startsInReasoning: false,
    tools: [{ name: 'Read' }],
  } as const
  return (await readReply({ text, options, chunk: 4 }, () => undefined)).reading
}

const GOOD = '<tool_call>{"name": "Read", "arguments": {}}</tool_call>'

test('finds the first of each kind, and the first problem', async () => {
  const reading = await read(
    `${GOOD}${GOOD.replace('Read', 'Raed')}<tool_call>oops</tool_call>${GOOD.slice(0, 30)}`,
  )
  expect(reading.counts).toMatchObject({ calls: 3, cut: 1, problems: 1, malformed: 1 })
  expect(countsAt(reading, { ...shownAt(reading, undefined), pieces: 2 })).toMatchObject({
    calls: 2,
    cut: 0,
    problems: 1,
  })
  expect(firstOf(reading, 'problems')).toBe(1)
  expect(firstOf(reading, 'malformed')).toBe(2)
  expect(firstOf(reading, 'cut')).toBe(3)
  expect(firstOf(reading, 'forged')).toBeUndefined()
  expect(firstProblem(reading)).toBe(1)
  expect(firstProblem(await read(`Look: ${GOOD}`))).toBeUndefined()
})
