import { readFileSync, writeFileSync } from 'node:fs'
import { execute } from '@toolglot/agent'
import { toolsByName } from '@toolglot/agent/internal'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../test/workspace.ts'
import { editTool } from './edit.ts'
import { readTool } from './read.ts'
import { writeTool } from './write.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace()
})
afterAll(() => workspace.remove())

/** Runs a call as a model's call: checked, decided on, executed. */
function call(name: string, args: Record<string, unknown>) {
  const { host } = workspace
  return execute(
    { id: '1', name, args },
    {
      tools: toolsByName([readTool(host), writeTool(host), editTool(host)]),
      permissions: { rules: [], mode: 'acceptEdits' },
      fileSystem: nodeFileSystem({ cwd: workspace.root }),
      signal: new AbortController().signal,
      run: 'run',
    },
  )
}

test('creates, reads and changes a file', async () => {
  expect(await call('Write', { file_path: 'a.txt', content: 'one\ntwo\n' })).toMatchObject({
    status: 'success',
    result: { success: true, bytes_written: 8 },
    text: 'Created a.txt: 8 bytes.',
  })
  expect(await call('Read', { file_path: 'a.txt' })).toMatchObject({
    status: 'success',
    text: '     1\tone\n     2\ttwo',
  })
  const edit = { file_path: 'a.txt', old_string: 'two', new_string: '2' }
  expect(await call('Edit', edit)).toMatchObject({
    status: 'success',
    text: 'Changed 1 place in a.txt.\n--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2',
  })
  expect(readFileSync(workspace.path('a.txt'), 'utf8')).toBe('one\n2\n')
})

test.each([
  ['an unknown argument', 'Read', { file_path: 'a.txt', colour: 'red' }, 'invalid_input'],
  ['a wrong type', 'Read', { file_path: 'a.txt', limit: 'many' }, 'invalid_input'],
  ['a missing argument', 'Write', { file_path: 'a.txt' }, 'invalid_input'],
  ['invalid pages', 'Read', { file_path: 'a.txt', pages: '3-' }, 'invalid_input'],
  ['a missing file', 'Edit', { file_path: 'x', old_string: 'a', new_string: 'b' }, 'not_found'],
])('%s: the model gets an error', async (_what, name, args, type) => {
  writeFileSync(workspace.path('a.txt'), 'a')
  expect(await call(name, args)).toMatchObject({
    status: 'error',
    failure: { tool: name, error_type: type },
  })
})
