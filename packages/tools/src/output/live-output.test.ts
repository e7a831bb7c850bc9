import { setTimeout as delay } from 'node:timers/promises'
import type { ToolProgress } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createLiveOutput } from './live-output.ts'

test('a sign of life where nothing else is told', async () => {
  const said: ToolProgress[] = []
  const { output, end } = createLiveOutput((update) => void said.push(update), 300)
  for (let count = 0; count < 6; count++) {
    await delay(100)
    output('stdout', 'x')
  }
  expect(said.every(({ type }) => type === 'output')).toBe(true)
  await delay(450)
  end()
  expect(said.at(-1)).toEqual({ type: 'note', text: 'Running for 1 s' })
  const count = said.length
  await delay(400)
  expect(said.length).toBe(count)
})

test('of too much at once only the last is told; no character is cut in two', () => {
  const said: ToolProgress[] = []
  const { output, end } = createLiveOutput((update) => void said.push(update))
  output('stdout', `${'😀'.repeat(10_000)}x`)
  end()
  expect(said).toHaveLength(1)
  const { text } = said[0] as { text: string }
  expect(text).toMatch(/^… 😀+x$/u)
  expect(text.length).toBeLessThan(8010)
})
