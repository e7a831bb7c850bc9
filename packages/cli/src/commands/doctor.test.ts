import { expect, test } from 'vitest'
import { startCommand } from '../../test/start-command.ts'
import { checks } from '../doctor/checks/index.ts'

// Each check has its tests in doctor/checks/checks.test.ts, and --probe in doctor/probe.test.ts.

test('prints one line for each result, with advice below', async () => {
  const { code, output } = await startCommand(['doctor'], { env: { NO_COLOR: '1' } })
  expect(code).toBe(0)
  expect(output).toMatch(/^ok +Node +v/)
  expect(output).toMatch(
    /\nmissing +web search +no search engine configured\n +To let models search/,
  )
  expect(output).toContain('no colors (NO_COLOR)')
})

test('prints JSON for programs, and exits with 1 if something is broken', async () => {
  const env = { TOOLGLOT_MODEL: 'olama/qwen3:8b' }
  const { code, output } = await startCommand(['doctor', '--json'], { env })
  const found = JSON.parse(output) as { name: string; status: string }[]
  expect(code).toBe(1)
  expect(found.filter(({ status }) => status === 'broken')).toMatchObject([{ name: 'model' }])
  const names = new Set(found.map(({ name }) => name))
  // This folder contains no code of its own.
  expect([...names]).toEqual(checks.map(({ name }) => name).filter((name) => name !== 'own code'))
})

test('--model requires --probe', async () => {
  const { code, errors } = await startCommand(['doctor', '--model', 'script'])
  expect([code, errors]).toEqual([2, expect.stringContaining('--model requires --probe')])
})
