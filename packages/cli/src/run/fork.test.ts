import { expect, test } from 'vitest'
import { forkSetup } from '../../../workspace/test/fork-setup.ts'
import { restoredFiles } from './fork.ts'

test('only what was changed in the turn and after it is undone', async () => {
  const { setup, undone, source } = await forkSetup([
    { path: '/work/a', call: 'turn-0-0' },
    { path: '/work/b', call: 'turn-1-0' },
  ])
  expect(await restoredFiles(setup, { source, turn: 1 })).toBe(
    'Undone: changes of run-1 in turn 1 or later.\nremoved    /work/b\n',
  )
  expect(undone).toEqual(['turn-1-0'])
})

test('what the source of a fork changed stays, and that is reported', async () => {
  const { setup, source } = await forkSetup([{ path: '/work/b', call: 'turn-1-0' }])
  const fork = { source: { ...source, forkOf: { run: 'run-0', turn: 1 } }, turn: 0 }
  expect(await restoredFiles(setup, fork)).toContain(
    'The changes of run-0 before its turn 1 were kept.\n',
  )
})
