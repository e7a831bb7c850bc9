import { linkSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../../test/workspace.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace()
})
afterAll(() => workspace.remove())

test('a write removes leftovers of killed processes, and nothing else', async () => {
  const hex = '0123456789ab'
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const put = (name: string, time = old): void => {
    writeFileSync(workspace.path(name), '')
    utimesSync(workspace.path(name), time, time)
  }
  put(`.left.txt.${hex}.tmp`)
  put(`.${'x'.repeat(40)}.${hex}.tmp`)
  const kept = [
    `.${'x'.repeat(41)}.${hex}.tmp`,
    `.short.${hex.slice(1)}.tmp`,
    `.upper.${hex.toUpperCase()}.tmp`,
    `left.${hex}.tmp`,
    `.left.${hex}.tmp.txt`,
  ]
  for (const name of kept) put(name)
  put(`.young.${hex}.tmp`, new Date())
  put('other')
  linkSync(workspace.path('other'), workspace.path(`.twice.${hex}.tmp`))
  symlinkSync('other', workspace.path(`.link.${hex}.tmp`))
  mkdirSync(workspace.path(`.folder.${hex}.tmp`))

  await workspace.host.files.replace('new.txt', Buffer.from('x'), { before: undefined })
  expect(readdirSync(workspace.root).sort()).toEqual(
    [
      ...kept,
      `.young.${hex}.tmp`,
      'other',
      `.twice.${hex}.tmp`,
      `.link.${hex}.tmp`,
      `.folder.${hex}.tmp`,
      'new.txt',
    ].sort(),
  )
})
