import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memory } from '../../test/memory.ts'
import { contextOf, createWorkspace, type Workspace } from '../../test/workspace.ts'
import { nodeFiles } from '../node/files/files.ts'
import { editTool } from '../tools/edit.ts'
import { readTool } from '../tools/read.ts'
import { writeTool } from '../tools/write.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await createWorkspace()
})
afterEach(() => workspace.remove())

/** Tools in another process, after one of them has restored the records. */
function resumed(remembered: ReadonlyMap<string, unknown>, by: 'read' | 'write' | 'edit' = 'read') {
  const host = { ...workspace.host, files: nodeFiles(workspace.host.fileSystem) }
  const tools = { read: readTool(host), write: writeTool(host), edit: editTool(host) }
  void tools[by].resume!('run', remembered)
  return tools
}

const put = (name: string, content: string | Uint8Array): void =>
  writeFileSync(workspace.path(name), content)
const run = contextOf({ run: 'run' })

test.each(['read', 'write', 'edit'] as const)(
  'after %s has resumed, a file that was read may be written',
  async (by) => {
    const { remember, remembered } = memory()
    put('a.txt', 'one one')
    await readTool(workspace.host).execute(
      { file_path: 'a.txt' },
      contextOf({ run: 'run', remember }),
    )
    const content = { file_path: 'a.txt', content: 'two' }
    await expect(
      (async () => resumed(new Map(), by).write.execute(content, run))(),
    ).rejects.toThrow('has not been read in this conversation')
    const all = { file_path: 'a.txt', old_string: 'one', new_string: '1', replace_all: true }
    const { read, edit, write } = resumed(remembered(), by)
    expect(await read.execute({ file_path: 'a.txt' }, run)).toMatchObject({
      content: '',
      total_lines: 1,
    })
    expect(await edit.execute(all, run)).toMatchObject({ replacements: 2 })
    expect(await write.execute(content, run)).toMatchObject({ success: true })
  },
)

test('detects a file that has changed since, but not one that was only touched', async () => {
  const { remember, remembered } = memory()
  put('a.txt', 'one')
  put('b.txt', 'one')
  for (const file_path of ['a.txt', 'b.txt'])
    await readTool(workspace.host).execute({ file_path }, contextOf({ run: 'run', remember }))
  put('a.txt', 'another')
  put('b.txt', 'one')
  const { write } = resumed(remembered())
  await expect(
    (async () => write.execute({ file_path: 'a.txt', content: 'x' }, run))(),
  ).rejects.toThrow('has changed since it was read')
  expect(await write.execute({ file_path: 'b.txt', content: 'x' }, run)).toMatchObject({
    success: true,
  })
})

test('another run has no records', async () => {
  const { remember, remembered } = memory()
  put('a.txt', 'one')
  await readTool(workspace.host).execute(
    { file_path: 'a.txt' },
    contextOf({ run: 'run', remember }),
  )
  const { write } = resumed(remembered())
  await expect(
    (async () =>
      write.execute({ file_path: 'a.txt', content: 'x' }, contextOf({ run: 'other' })))(),
  ).rejects.toThrow('has not been read in this conversation')
})

test('a record is small, however often a file is read', async () => {
  const { remember, remembered } = memory()
  put('a.txt', Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join(''))
  for (let offset = 1; offset < 3000; offset += 10)
    await readTool(workspace.host).execute(
      { file_path: 'a.txt', offset, limit: 10 },
      contextOf({ run: 'run', remember }),
    )
  expect([...remembered().keys()]).toEqual([`file:${workspace.path('a.txt')}`])
  expect(JSON.stringify([...remembered().values()]).length).toBeLessThan(200)
})

test('ignores invalid records', async () => {
  put('a.txt', 'one')
  const path = `file:${workspace.path('a.txt')}`
  for (const odd of [null, 7, 'x', [], {}, { id: '1:1', size: 3, modified: 'x' }]) {
    const { write } = resumed(new Map([[path, odd]]))
    await expect(
      (async () => write.execute({ file_path: 'a.txt', content: 'x' }, run))(),
    ).rejects.toThrow('has not been read in this conversation')
  }
})
