import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execute, type Tool } from '@toolglot/agent'
import { type Permissions, readRules } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { createTools } from '../create-tools.ts'
import { context, machine } from '../../test/machine.ts'

const { rules } = readRules({ allow: ['Bash(echo:*)', 'Bash(false)', 'Edit(**)'] })

async function workspace(permissions: Partial<Permissions> = {}) {
  const { host, root } = await machine()
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'package.json'), '{\n  "name": "my-app",\n  "version": "1.0.0"\n}')
  await writeFile(join(root, 'src/index.ts'), 'export const one = 1\n')
  await writeFile(join(root, 'src/other.ts'), 'const two = 2\n')
  const tools = createTools(host, { aliases: true })
  const call = (name: string, args: Record<string, unknown> = {}, all = tools) =>
    execute(
      { id: '1', name, args },
      { tools: all, permissions: { rules, ...permissions }, fileSystem: host.fileSystem },
    )
  return { root, tools, call }
}

test('read_file returns content without line numbers, and its size', async () => {
  const { call } = await workspace()
  const content = '{\n  "name": "my-app",\n  "version": "1.0.0"\n}'
  const result = { content, lines: 4, size: 44 }
  expect(await call('read_file', { path: 'package.json' })).toEqual({
    status: 'success',
    result,
    text: JSON.stringify(result),
  })
  expect(await call('read_file', { path: 'missing-file.txt' })).toMatchObject({
    failure: { error_type: 'not_found', message: 'File not found: missing-file.txt' },
  })
})

test('list_files and search_files return files and their count', async () => {
  const { call } = await workspace()
  expect(await call('list_files', { directory: '.', pattern: '**/*.ts' })).toMatchObject({
    result: {
      files: expect.arrayContaining(['src/index.ts', 'src/other.ts']) as string[],
      count: 2,
    },
  })
  expect(await call('list_files', { directory: '.' })).toMatchObject({
    text: '{"files":["package.json"],"count":1}',
  })
  expect(await call('search_files', { pattern: 'src/i*.ts' })).toMatchObject({
    result: { files: ['src/index.ts'], count: 1 },
  })
})

test('count includes files that are not listed', async () => {
  const { call, root } = await workspace()
  for (let at = 0; at < 120; at++) await writeFile(join(root, `${at}.txt`), '')
  const outcome = await call('list_files', { directory: '.', pattern: '*.txt' })
  expect(outcome).toMatchObject({ result: { count: 120, truncated: true } })
})

test('search_code returns lines and takes the options of Grep', async () => {
  const { call } = await workspace()
  expect(await call('search_code', { query: 'const (one|two)' })).toMatchObject({
    result: { matches: [{ line_number: 1 }, { line_number: 1 }], count: 2 },
  })
  const options = { path: 'src/other.ts', '-i': true }
  expect(await call('search_code', { query: 'CONST', options })).toMatchObject({
    result: { matches: [{ file: 'src/other.ts', content: 'const two = 2' }], count: 1 },
  })
  for (const wrong of [{ pattern: 'x' }, { query: 'y' }, 'src', { nothing: 1 }])
    expect(await call('search_code', { query: 'a', options: wrong })).toMatchObject({
      failure: { error_type: 'invalid_input' },
    })
})

test('write_file writes a file', async () => {
  const { call, root } = await workspace()
  expect(await call('write_file', { path: 'new.txt', content: 'hi' })).toMatchObject({
    result: { success: true, bytes_written: 2 },
  })
  expect(await readFile(join(root, 'new.txt'), 'utf8')).toBe('hi')
})

test('bash reports whether the command succeeded', async () => {
  const { call } = await workspace()
  expect(await call('bash', { command: 'echo hi' })).toMatchObject({
    result: { success: true, result: 'hi', exit_code: 0 },
  })
  expect(await call('functions.bash', { command: 'false' })).toMatchObject({
    result: { success: false, exit_code: 1 },
  })
  expect(await call('functions.Bash', { command: 'echo hi' })).toMatchObject({ text: 'hi' })
})

test('run_tests runs the configured command, if a rule allows it', async () => {
  const { call } = await workspace({ testCommand: 'echo all pass' })
  expect(await call('run_tests')).toMatchObject({
    result: { success: true, result: 'all pass', exit_code: 0 },
  })
  expect(await call('run_tests', { command: 'echo other' })).toMatchObject({
    failure: { error_type: 'invalid_input', message: expect.stringContaining('command') as string },
  })
  const other = await workspace({ testCommand: 'npm test' })
  expect(await other.call('run_tests')).toMatchObject({
    failure: { error_type: 'permission_denied' },
  })
  const none = await workspace()
  expect(await none.call('run_tests')).toMatchObject({
    failure: {
      error_type: 'invalid_input',
      message: expect.stringContaining('"testCommand" in the settings') as string,
    },
  })
})

test("errors use the alias's own argument names", async () => {
  const { call } = await workspace()
  expect(await call('read_file')).toMatchObject({
    failure: { message: expect.stringMatching(/^read_file: .*path/) as string },
  })
})

test('get_diagnostics queries a language server', async () => {
  const { call, tools } = await workspace()
  const diagnostics = [{ line: 1, message: 'wrong' }]
  const fakeLsp: Tool = {
    name: 'LSP',
    description: 'Fake',
    parameters: { type: 'object' },
    access: { readOnly: true },
    execute: ({ operation, filePath }) =>
      operation === 'diagnostics' && filePath === 'src/index.ts'
        ? { diagnostics, total: 1, truncated: false }
        : { diagnostics: [operation], total: 2, truncated: true },
  }
  const all = new Map([...tools, ['LSP', fakeLsp]])
  expect(await call('get_diagnostics', { file: 'src/index.ts' }, all)).toMatchObject({
    text: JSON.stringify({ diagnostics, count: 1 }),
  })
  expect(await call('get_diagnostics', {}, all)).toMatchObject({
    result: { diagnostics: ['workspaceDiagnostics'], count: 2, truncated: true },
  })
})

test('aliases as tools have their own parameters and can be executed directly', async () => {
  const { tools } = await workspace()
  const tool = tools.get('read_file')!
  const { description, parameters, access } = tool
  expect(description).toBe('Read the contents of a file')
  expect(parameters).toMatchObject({ required: ['path'] })
  expect(access).toMatchObject({ readOnly: true, alias: { tool: 'Read' } })
  expect(await tool.execute({ path: 'package.json' }, context())).toMatchObject({ lines: 4 })
  await expect(tool.execute({ path: 3 }, context())).rejects.toThrow('file_path')
})
