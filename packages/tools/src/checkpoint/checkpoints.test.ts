import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contextOf, createWorkspace, type Workspace } from '../../test/workspace.ts'
import { editTool } from '../tools/edit.ts'
import { readTool } from '../tools/read.ts'
import { writeTool } from '../tools/write.ts'
import { createCheckpoints } from './checkpoints.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await createWorkspace()
})
afterEach(() => workspace.remove())

const put = (name: string, content: string | Uint8Array): void =>
  writeFileSync(workspace.path(name), content)
const text = (name: string): string => readFileSync(workspace.path(name), 'utf8')
const undo = (run = 'run') => createCheckpoints(workspace.host).undo(run)
const undoCalls = (...calls: string[]) =>
  createCheckpoints(workspace.host).undo('run', { calls: new Set(calls) })

async function write(file_path: string, content: string, run = 'run', call = 'call') {
  if (existsSync(workspace.path(file_path)))
    await readTool(workspace.host).execute({ file_path }, contextOf({ run }))
  return writeTool(workspace.host).execute({ file_path, content }, contextOf({ run, call }))
}

/** Writes a file in the run by a call with this id. */
const writeBy = (call: string, path: string, content: string) => write(path, content, 'run', call)

async function edit(file_path: string, old_string: string, new_string: string, run = 'run') {
  const args = { file_path, old_string, new_string }
  return editTool(workspace.host).execute(args, contextOf({ run }))
}

test('all changes of a run are undone exactly, including the mode', async () => {
  put('a.txt', Buffer.from('\ufeffone\r\ntwo\n'))
  chmodSync(workspace.path('a.txt'), 0o640)
  const before = readFileSync(workspace.path('a.txt'))
  await edit('a.txt', 'two', '2')
  await write('a.txt', 'all new')
  await edit('a.txt', 'new', 'newer')
  await write('deep/down/b.txt', 'b')
  await edit('deep/down/b.txt', 'b', 'c')
  const { files } = await undo()
  expect(files).toEqual([
    { path: workspace.path('deep/down/b.txt'), status: 'removed' },
    { path: workspace.path('a.txt'), status: 'restored' },
  ])
  expect(readFileSync(workspace.path('a.txt'))).toEqual(before)
  expect(statSync(workspace.path('a.txt')).mode & 0o7777).toBe(0o640)
  expect(readdirSync(workspace.root)).toEqual(['a.txt'])
})

test('keeps a created folder that now has other content', async () => {
  await write('deep/down/b.txt', 'b')
  put('deep/c.txt', 'c')
  await undo()
  expect(readdirSync(workspace.path('deep'))).toEqual(['c.txt'])
})

test('undoes only the given run, and only once', async () => {
  put('a.txt', 'a')
  put('b.txt', 'b')
  await write('a.txt', 'A', 'one')
  await write('b.txt', 'B', 'two')
  expect((await undo('one')).files).toHaveLength(1)
  expect([text('a.txt'), text('b.txt')]).toEqual(['a', 'B'])
  expect((await undo('one')).files).toEqual([])
  expect((await undo('nobody')).files).toEqual([])
})

test('skips and reports files changed by other programs since', async () => {
  put('mine.txt', '1')
  put('theirs.txt', '1')
  await write('mine.txt', '2')
  await write('theirs.txt', '2')
  put('theirs.txt', 'theirs')
  const { files } = await undo()
  expect(files).toEqual([
    {
      path: workspace.path('theirs.txt'),
      status: 'refused',
      why: 'the file has been changed since',
    },
    { path: workspace.path('mine.txt'), status: 'restored' },
  ])
  expect([text('mine.txt'), text('theirs.txt')]).toEqual(['1', 'theirs'])
  // Once they revert their change, ours can be undone.
  put('theirs.txt', '2')
  expect((await undo()).files).toEqual([{ path: workspace.path('theirs.txt'), status: 'restored' }])
  expect(text('theirs.txt')).toBe('1')
})

test('undoes only the later of two changes if another program changed the file in between', async () => {
  put('a.txt', '1')
  await write('a.txt', '2')
  put('a.txt', 'theirs')
  await write('a.txt', '3')
  expect((await undo()).files).toMatchObject([{ status: 'refused' }])
  expect(text('a.txt')).toBe('theirs')
})

test('handles a deleted file, and a file that already has its former content', async () => {
  put('gone.txt', '1')
  put('same.txt', '1')
  await write('gone.txt', '2')
  await write('same.txt', '2')
  rmSync(workspace.path('gone.txt'))
  put('same.txt', '1')
  expect((await undo()).files).toMatchObject([{ status: 'unchanged' }, { status: 'refused' }])
  expect(existsSync(workspace.path('gone.txt'))).toBe(false)
})

test('restores no file through a link', async () => {
  mkdirSync(workspace.path('folder'))
  put('folder/a.txt', '1')
  put('b.txt', '1')
  await write('folder/a.txt', '2')
  await write('b.txt', '2')
  // The content is the same, but at the target of a link.
  renameSync(workspace.path('folder'), join(workspace.outside, 'folder'))
  symlinkSync(join(workspace.outside, 'folder'), workspace.path('folder'))
  writeFileSync(join(workspace.outside, 'b.txt'), '2')
  rmSync(workspace.path('b.txt'))
  symlinkSync(join(workspace.outside, 'b.txt'), workspace.path('b.txt'))
  const { files } = await undo()
  expect(files.map(({ status }) => status)).toEqual(['refused', 'refused'])
  expect(readFileSync(join(workspace.outside, 'folder/a.txt'), 'utf8')).toBe('2')
  expect(readFileSync(join(workspace.outside, 'b.txt'), 'utf8')).toBe('2')
})

test('stores content privately, and the same bytes only once', async () => {
  for (const name of ['a.txt', 'b.txt']) {
    put(name, 'secret')
    await write(name, 'x')
  }
  const folder = join(workspace.host.storage.folder, 'checkpoints')
  expect(statSync(join(folder, 'blobs')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(folder, 'blobs'))).toHaveLength(1)
  for (const part of ['blobs', 'runs'])
    for (const name of readdirSync(join(folder, part)))
      expect(statSync(join(folder, part, name)).mode & 0o777).toBe(0o600)
})

test('a log line cut off by a crash does not damage the next one', async () => {
  put('a.txt', '1')
  await write('a.txt', '2')
  appendFileSync(join(workspace.host.storage.folder, 'checkpoints/runs/run.jsonl'), '\n{"path":"/x')
  await write('a.txt', '3')
  expect((await undo()).files).toMatchObject([{ status: 'restored' }])
  expect(text('a.txt')).toBe('1')
})

test('does not restore stored content that was tampered with', async () => {
  put('a.txt', '1')
  await write('a.txt', '2')
  const blobs = join(workspace.host.storage.folder, 'checkpoints/blobs')
  writeFileSync(join(blobs, readdirSync(blobs)[0]!), 'odd')
  expect((await undo()).files).toMatchObject([{ status: 'refused' }])
  expect(text('a.txt')).toBe('2')
})

test('a run id cannot be a path', async () => {
  put('a.txt', '1')
  await write('a.txt', '2', '../../odd')
  expect(readdirSync(workspace.host.storage.folder)).toEqual(['checkpoints'])
  expect((await undo('../../odd')).files).toMatchObject([{ status: 'restored' }])
})

test('does not change a file if its former content cannot be stored', async () => {
  put('a.txt', '1')
  writeFileSync(join(workspace.host.storage.folder, 'checkpoints'), 'in the way')
  await expect(write('a.txt', '2')).rejects.toThrow()
  expect(text('a.txt')).toBe('1')
  expect(readdirSync(workspace.root)).toEqual(['a.txt'])
})

test('each change contains the id of its call', async () => {
  await writeBy('one', 'a.txt', '1')
  await writeBy('two', 'a.txt', '2')
  const changes = await createCheckpoints(workspace.host).changes('run')
  expect(changes.map(({ path, call }) => [path, call])).toEqual([
    [workspace.path('a.txt'), 'one'],
    [workspace.path('a.txt'), 'two'],
  ])
})

test('undoes only the changes of the given calls, latest first', async () => {
  put('a.txt', '0')
  await writeBy('one', 'a.txt', '1')
  await writeBy('two', 'a.txt', '2')
  await writeBy('two', 'new.txt', '2')
  await writeBy('three', 'a.txt', '3')
  expect((await undoCalls('two', 'three', 'nobody')).files).toEqual([
    { path: workspace.path('a.txt'), status: 'restored' },
    { path: workspace.path('new.txt'), status: 'removed' },
  ])
  expect([text('a.txt'), existsSync(workspace.path('new.txt'))]).toEqual(['1', false])
  expect((await undoCalls('two', 'three')).files).toEqual([])
  expect((await undoCalls()).files).toEqual([])
  expect((await undo()).files).toMatchObject([{ status: 'restored' }])
  expect(text('a.txt')).toBe('0')
})

test('refuses to undo a change that a later call overwrote, even with the same content', async () => {
  put('a.txt', '0')
  put('b.txt', '0')
  await writeBy('one', 'a.txt', '1')
  await writeBy('one', 'b.txt', '1')
  await writeBy('two', 'a.txt', '2')
  await writeBy('two', 'a.txt', '1')
  expect((await undoCalls('one')).files).toEqual([
    { path: workspace.path('b.txt'), status: 'restored' },
    {
      path: workspace.path('a.txt'),
      status: 'refused',
      why: 'a later call, which is not undone, changed it as well',
    },
  ])
  expect([text('a.txt'), text('b.txt')]).toEqual(['1', '0'])
  // All changes can still be undone.
  expect((await undo()).files).toMatchObject([{ status: 'restored' }])
  expect(text('a.txt')).toBe('0')
})

test('also skips files changed by other programs when calls are given', async () => {
  put('a.txt', '0')
  await writeBy('one', 'a.txt', '1')
  put('a.txt', 'theirs')
  expect((await undoCalls('one')).files).toMatchObject([{ status: 'refused' }])
  expect(text('a.txt')).toBe('theirs')
})

test('a change made during an undo can be undone later', async () => {
  put('a.txt', '0')
  put('b.txt', '0')
  await writeBy('one', 'a.txt', '1')
  const { files } = workspace.host
  let isFirst = true
  const busy: typeof files = {
    ...files,
    async lock(...given) {
      if (isFirst) await writeBy('two', 'b.txt', '1')
      isFirst = false
      return files.lock(...given)
    },
  }
  await createCheckpoints({ ...workspace.host, files: busy }).undo('run')
  expect([text('a.txt'), text('b.txt')]).toEqual(['0', '1'])
  expect((await undo()).files).toMatchObject([{ status: 'restored' }])
  expect(text('b.txt')).toBe('0')
})
