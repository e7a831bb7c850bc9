import type { ToolProgress } from '@toolglot/agent'
import { afterEach, expect, test, vi } from 'vitest'
import { createLiveOutput } from './live-output.ts'

afterEach(() => void vi.useRealTimers())

test('reports the running time if there is no output', () => {
  vi.useFakeTimers()
  const said: ToolProgress[] = []
  const { output, end } = createLiveOutput((update) => void said.push(update), 300)
  for (let count = 0; count < 6; count++) {
    vi.advanceTimersByTime(100)
    output('stdout', 'x')
  }
  expect(said.every(({ type }) => type === 'output')).toBe(true)
  vi.advanceTimersByTime(450)
  end()
  expect(said.at(-1)).toEqual({ type: 'note', text: 'Running for 1 s' })
  const count = said.length
  vi.advanceTimersByTime(400)
  expect(said.length).toBe(count)
})

test('reports only the end of a large update, without splitting characters', () => {
  const said: ToolProgress[] = []
  const { output, end } = createLiveOutput((update) => void said.push(update))
  output('stdout', `${'😀'.repeat(10_000)}x`)
  end()
  expect(said).toHaveLength(1)
  const { text } = said[0] as { text: string }
  expect(text).toMatch(/^… 😀+x$/u)
  expect(text.length).toBeLessThan(8010)
})
