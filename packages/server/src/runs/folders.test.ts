import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenTools, openWorkspace, trustFolder, type Workspace } from '@toolglot/workspace'
import { toolsVersion } from '@toolglot/workspace/internal'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { createFolders, type Folders } from './folders.ts'

async function foldersIn(
  files: Parameters<typeof folderOf>[0] = {},
): Promise<{ folders: Folders; folder: string; home: string; env: { HOME: string } }> {
  const home = folderOf()
  const folder = folderOf({ '.git/HEAD': '', ...files })
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
  const errors: unknown[] = []
  const folders = createFolders(await openWorkspace(folder, { env }), (error) => errors.push(error))
  onTestFinished(async () => {
    await folders.close()
    expect(errors).toEqual([])
  })
  return { folders, folder, home, env }
}

async function isAllowed(workspace: Workspace, rule: string): Promise<boolean> {
  const { rules } = await workspace.permissions()
  return rules.some(({ verdict, text }) => verdict === 'allow' && text === rule)
}

test('keeps several folders open, each with its own settings and trust, and follows links', async () => {
  const settings = { '.toolglot/settings.json': { permissions: { allow: ['Bash(ls *)'] } } }
  const { folders, folder, env } = await foldersIn(settings)
  const other = folderOf({ '.git/HEAD': '', ...settings })
  const link = join(env.HOME, 'link')
  symlinkSync(other, link)
  trustFolder(await openWorkspace(other, { env }), await openWorkspace(other, { env }))
  const [here, there, linked] = await Promise.all([
    folders.open(),
    folders.open(other),
    folders.open(link),
  ])
  expect([here, there, linked].map((each) => [each.folder, each.trust])).toEqual([
    [folder, 'untrusted'],
    [other, 'trusted'],
    [other, 'trusted'],
  ])
  expect(
    await Promise.all([here, there, linked].map((each) => isAllowed(each, 'Bash(ls *)'))),
  ).toEqual([false, true, true])
  expect(toolsVersion(there)).toBe(toolsVersion(linked))
})

test('applies changed settings, trust and rules to the next request', async () => {
  const { folders, folder, home, env } = await foldersIn()
  const next = (...given: Parameters<Folders['open']>): Promise<Workspace> => folders.open(...given)
  expect(await isAllowed(await next(), 'Bash(ls *)')).toBe(false)
  const allow = { permissions: { allow: ['Bash(ls *)'] } }
  mkdirSync(join(folder, '.toolglot'))
  writeFileSync(join(folder, '.toolglot/settings.json'), JSON.stringify(allow))
  expect(await isAllowed(await next(), 'Bash(ls *)')).toBe(false)
  const loaded = await openWorkspace(folder, { env })
  trustFolder(loaded, loaded)
  expect(await isAllowed(await next(), 'Bash(ls *)')).toBe(true)
  const more = { permissions: { allow: ['Bash(ls *)', 'Bash(rm *)'] } }
  writeFileSync(join(folder, '.toolglot/settings.json'), JSON.stringify(more))
  const changed = await next()
  expect([changed.trust, await isAllowed(changed, 'Bash(rm *)')]).toEqual(['changed', false])
  mkdirSync(join(home, '.config/toolglot'), { recursive: true })
  writeFileSync(join(home, '.config/toolglot/settings.json'), JSON.stringify(more))
  expect(await isAllowed(await next(), 'Bash(rm *)')).toBe(true)
  expect(await isAllowed(await next(folder, { allow: ['Read'] }), 'Read')).toBe(true)
  expect(await isAllowed(await next(folder, { mode: 'plan' }), 'Read')).toBe(false)
  // Each of these changes reopens the tools.
})

test('does not find a path that is not a folder', async () => {
  const { folders, folder } = await foldersIn({ 'file.txt': '' })
  symlinkSync('nowhere', join(folder, 'broken'))
  for (const path of [
    '',
    'relative',
    './x',
    '~',
    ...['file.txt', 'missing', 'broken'].map((name) => join(folder, name)),
    `${folder}\0`,
  ])
    await expect(folders.open(path)).rejects.toMatchObject({
      code: 'folder_not_found',
      status: 404,
    })
})

test('no longer finds a deleted folder', async () => {
  const { folders } = await foldersIn()
  const other = folderOf()
  await folders.open(other)
  rmSync(other, { recursive: true })
  await expect(folders.open(other)).rejects.toMatchObject({ code: 'folder_not_found' })
})

test('shares tools, keeps them open for their run, and closes all in the end', async () => {
  const { folders } = await foldersIn()
  const workspace = await folders.open()
  // Toggles are applied at every use; the host is the part that stays open.
  const same = async ({ host }: OpenTools): Promise<OpenTools['host']> => host
  const [first, second] = await Promise.all([
    folders.useTools(workspace, same),
    folders.useTools(workspace, same),
  ])
  expect(first).toBe(second)
  const own = await folders.useOwnTools(workspace, 'one', same)
  expect(await folders.useOwnTools(workspace, 'one', same)).toBe(own)
  expect(await folders.useOwnTools(workspace, 'two', same)).not.toBe(own)
  expect(await folders.useOwnTools(workspace, undefined, same)).not.toBe(own)
  const strict = await folders.open(workspace.folder, { deny: ['Bash'] })
  // Changing other rules does not reopen the tools.
  expect(await folders.useOwnTools(strict, 'one', same)).toBe(own)
  const strictOwn = own
  await folders.reload(workspace.folder)
  expect(await folders.useTools(workspace, same)).not.toBe(first)
  expect(await folders.useOwnTools(strict, 'one', same)).not.toBe(strictOwn)
  const steps: string[] = []
  let finish = (): void => {}
  let using: Promise<void> | undefined
  await new Promise<void>((begun) => {
    using = folders.useTools(workspace, async () => {
      begun()
      await new Promise<void>((resolve) => (finish = resolve))
      steps.push('used')
    })
  })
  const closing = folders.close().then(() => steps.push('closed'))
  // A new request is refused, so the folders are closing.
  await expect(folders.useTools(workspace, same)).rejects.toMatchObject({ code: 'stopping' })
  expect(steps).toEqual([])
  finish()
  await Promise.all([using, closing])
  expect(steps).toEqual(['used', 'closed'])
})

test('uses the options of the first folder for every folder', async () => {
  const more = folderOf({
    'extra.json': JSON.stringify({ permissions: { deny: ['Read(secret.txt)'] } }),
  })
  const [here, there] = [folderOf({ '.git/HEAD': '' }), folderOf({ '.git/HEAD': '' })]
  const env = { HOME: folderOf(), PATH: process.env['PATH'] ?? '' }
  const settings = [join(more, 'extra.json')]
  const home = await openWorkspace(here, { env, settings, deny: ['Bash'] })
  const folders = createFolders(home, () => {})
  onTestFinished(() => folders.close())
  for (const folder of [here, there]) {
    const { rules } = await (await folders.open(folder, { deny: ['Write'] })).permissions()
    const denied = rules.filter(({ verdict }) => verdict === 'deny').map(({ text }) => text)
    expect(denied).toEqual(expect.arrayContaining(['Read(secret.txt)', 'Bash', 'Write']))
  }
})
