import { expect, test } from 'vitest'
import { forkSetup } from '../../test/fork-setup.ts'
import { filesChangedSince, restoreFiles } from './fork-files.ts'

test('undoes only changes made in the turn and after it', async () => {
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

test('keeps changes made by the source of a fork, and reports that', async () => {
  const { setup, source } = await forkSetup([{ path: '/work/b', call: 'turn-1-0' }])
  const fork = { source: { ...source, forkOf: { run: 'run-0', turn: 1 } }, turn: 0 }
  expect(await restoreFiles(setup, fork)).toMatchObject({
    keptChangesOf: { run: 'run-0', turn: 1 },
  })
})

test('changes no files if the run does not belong to this folder', async () => {
  const { setup, undone, source } = await forkSetup([{ path: '/work/b', call: 'turn-1-0' }])
  for (const folder of ['/work/sub', undefined]) {
    const fork = { source: { ...source, folder }, turn: 0 }
    await expect(restoreFiles(setup, fork)).rejects.toThrow('not in /work')
  }
  expect(undone).toEqual([])
})
