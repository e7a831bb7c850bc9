import { expect, test } from 'vitest'
import { memoryJournal } from '@toolglot/agent/journal'
import { findRun } from './find-run.ts'

test('finds a run by its id, its name, the start of its id, or as the last one', async () => {
  const journal = memoryJournal()
  for (const [time, run] of ['run-aa1', 'run-aa2', 'run-b', 'mine'].entries()) {
    const record = { key: 'run', kind: 'value' as const, value: {}, time }
    await journal.add({ run, records: [record] })
  }
  await journal.rename('run-aa1', 'mine')
  await journal.rename('run-b', 'The Best')
  const found = async (text: string): Promise<string> => (await findRun(journal, text)).run
  // An id takes precedence over a name.
  expect(await found('mine')).toBe('mine')
  expect(await found('The Best')).toBe('run-b')
  expect(await found('run-aa2')).toBe('run-aa2')
  expect(await found('run-b')).toBe('run-b')
  expect(await found('last')).toBe('mine')
  await expect(found('run-aa')).rejects.toThrow('2 runs match')
  await expect(found('the best')).rejects.toThrow('No run named')
  await expect(found('aa1')).rejects.toThrow('No run named')
  await expect(found('min')).rejects.toThrow('No run named')
})
