import { setTimeout as delay } from 'node:timers/promises'
import type { ToolProgress } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createLiveOutput } from './live-output.ts'

test('the running time is reported if there is no output', async () => {
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

test('of a large update only the end is reported; no character is split', () => {
  const said: ToolProgress[] = []
  const { output, end } = createLiveOutput((update) => void said.push(update))
  output('stdout', `${'😀'.repeat(10_000)}x`)
  end()
  expect(said).toHaveLength(1)
  const { text } = said[0] as { text: string }
  expect(text).toMatch(/^… 😀+x$/u)
  expect(text.length).toBeLessThan(8010)
})
