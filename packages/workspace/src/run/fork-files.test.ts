import { expect, test } from 'vitest'
import { forkSetup } from '../../test/fork-setup.ts'
import { filesChangedSince, restoreFiles } from './fork-files.ts'

test('only what was changed in the turn and after it is undone', async () => {
  const { setup, undone, source } = await forkSetup([
    { path: '/work/a', call: 'turn-0-0' },
    { path: '/work/b', call: 'turn-1-0' },
  ])
  expect(await filesChangedSince(setup, { source, turn: 1 })).toEqual(['/work/b'])
  expect(await filesChangedSince(setup, { source, turn: 0 })).toEqual(['/work/a', '/work/b'])
  expect(await restoreFiles(setup, { source, turn: 1 })).toEqual({
    files: [{ path: '/work/b', status: 'removed' }],
    keptChangesOf: undefined,
  })
  expect(undone).toEqual(['turn-1-0'])
})

test('what the source of a fork changed stays, and that is reported', async () => {
  const { setup, source } = await forkSetup([{ path: '/work/b', call: 'turn-1-0' }])
  const fork = { source: { ...source, forkOf: { run: 'run-0', turn: 1 } }, turn: 0 }
  expect(await restoreFiles(setup, fork)).toMatchObject({
    keptChangesOf: { run: 'run-0', turn: 1 },
  })
})

test('nothing is changed if the run is not one of this folder', async () => {
  const { setup, undone, source } = await forkSetup([{ path: '/work/b', call: 'turn-1-0' }])
  for (const folder of ['/work/sub', undefined]) {
    const fork = { source: { ...source, folder }, turn: 0 }
    await expect(restoreFiles(setup, fork)).rejects.toThrow('not in /work')
  }
  expect(undone).toEqual([])
})
