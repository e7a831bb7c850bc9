import { expect, test } from 'vitest'
import { type Check, runChecks, type CheckContext } from './check.ts'

test('reports a check that throws as broken, and runs the rest', async () => {
  const checks: Check[] = [
    { name: 'one', run: () => Promise.reject(new Error('no')) },
    { name: 'two', run: () => ({ status: 'ok', says: 'yes' }) },
  ]
  expect(await runChecks(checks, {} as CheckContext)).toEqual([
    { name: 'one', status: 'broken', says: 'no' },
    { name: 'two', status: 'ok', says: 'yes' },
  ])
})
