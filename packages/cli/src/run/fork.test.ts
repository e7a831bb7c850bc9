import { expect, test } from 'vitest'
import { forkSetup } from '../../../workspace/test/fork-setup.ts'
import { restoredFiles } from './fork.ts'

test('undoes only the changes in the turn and later ones', async () => {
  const { setup, undone, source } = await forkSetup([
    { path: '/work/a', call: 'turn-0-0' },
    { path: '/work/b', call: 'turn-1-0' },
  ])
  expect(await restoredFiles(setup, { source, turn: 1 })).toBe(
    'Undone: changes of run-1 in turn 1 or later.\nremoved    /work/b\n',
  )
  expect(undone).toEqual(['turn-1-0'])
})

test("keeps the changes of a fork's source, and reports that", async () => {
  const { setup, source } = await forkSetup([{ path: '/work/b', call: 'turn-1-0' }])
  const fork = { source: { ...source, forkOf: { run: 'run-0', turn: 1 } }, turn: 0 }
  expect(await restoredFiles(setup, fork)).toContain(
    'The changes of run-0 before its turn 1 were kept.\n',
  )
})
