// Start here: how a coding agent uses these tools, in a real folder.
import { execute, type ExecuteResult } from '@toolglot/agent'
import { readRules } from '@toolglot/permissions'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { createCheckpoints, createTools, lintTools, nodeHost, nodeStorage } from './index.ts'

/** The tools in a folder with these files. The rules allow file changes and `ls`. */
function open(files: Parameters<typeof folderOf>[0]) {
  const cwd = folderOf(files)
  const host = nodeHost({ cwd, storage: nodeStorage(folderOf()), sandbox: { use: 'none' } })
  onTestFinished(() => host.close())
  const permissions = readRules({ allow: ['Edit(**)', 'Bash(ls:*)'], deny: ['Read(.env)'] })
  const options = { tools: createTools(host), permissions, fileSystem: host.fileSystem }
  const call = (name: string, args: object): Promise<ExecuteResult> =>
    execute({ id: name, name, args: { ...args } }, { ...options, run: 'run-1' })
  return { cwd, host, call }
}

test('A model reads a file, edits it, and writes a new one', async () => {
  const { cwd, call } = open({ 'notes.txt': 'Mind the speling.\n' })
  const read = await call('Read', { file_path: 'notes.txt' })
  expect(read).toMatchObject({ status: 'success', text: expect.stringContaining('speling') })
  const edit = { file_path: 'notes.txt', old_string: 'speling', new_string: 'spelling' }
  expect(await call('Edit', edit)).toMatchObject({ status: 'success' })
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('Mind the spelling.\n')
  await call('Write', { file_path: 'new/one.txt', content: 'x' })
  expect(readFileSync(join(cwd, 'new/one.txt'), 'utf8')).toBe('x')
})

test('It cannot overwrite a file that it has not read', async () => {
  const { cwd, call } = open({ 'notes.txt': 'mine' })
  const failed = await call('Write', { file_path: 'notes.txt', content: 'x' })
  expect(failed).toMatchObject({ status: 'error' })
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine')
})

test('It finds files and text, but none that it must not read', async () => {
  const { call } = open({ 'a.ts': 'const key = 1', '.env': 'key=2' })
  expect(await call('Glob', { pattern: '*.ts' })).toMatchObject({ result: { files: ['a.ts'] } })
  const found = await call('Grep', { pattern: 'key', output_mode: 'content' })
  expect(JSON.stringify(found)).toContain('const key')
  expect(JSON.stringify(found)).not.toContain('key=2')
})

test('It runs a command that a rule allows, and no other command', async () => {
  const { cwd, call } = open({ 'a.txt': '' })
  expect(await call('Bash', { command: 'ls' })).toMatchObject({
    result: { stdout: 'a.txt\n', exit_code: 0 },
  })
  expect(await call('Bash', { command: 'ls && rm a.txt' })).toMatchObject({
    failure: { error_type: 'permission_denied' },
  })
  expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
})

test("Afterwards I undo all of the run's changes to files", async () => {
  const { cwd, call, host } = open({ 'notes.txt': 'before' })
  await call('Read', { file_path: 'notes.txt' })
  await call('Write', { file_path: 'notes.txt', content: 'after' })
  await call('Write', { file_path: 'new.txt', content: 'x' })
  const { files } = await createCheckpoints(host).undo('run-1')
  expect(files.map(({ status }) => status).sort()).toEqual(['removed', 'restored'])
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('before')
  expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
})

test('For my own tools, I learn which names and descriptions a model would misread', () => {
  const parameters = { type: 'object', properties: {} }
  const clear = { name: 'current_time', description: 'Get the current time', parameters }
  expect(lintTools([clear])).toEqual([])
  expect(lintTools([{ ...clear, description: '' }])).toMatchObject([{ tool: 'current_time' }])
})
