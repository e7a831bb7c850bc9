import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PendingRequest } from '@toolglot/agent/journal'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stillRuns } from '../../../../cli/test/still-runs.ts'
import { type ApiServer, apiServer } from '../../../test/api-server.ts'
import type { ExecutionResult } from './execute.ts'
import { longTest } from '../../../../../tests/helpers/size.ts'

const PATH = '/api/tools/execute'

/** The example from the specification, verbatim. */
const EXAMPLE = `{
  "tool_name": "bash",
  "arguments": {
    "command": "ls -la"
  }
}`

test('answers the example of the specification byte for byte', async () => {
  const { post } = await apiServer({
    permissions: { allow: ['Bash(ls -la)'] },
    files: { 'one.txt': '1', 'two.txt': '22' },
  })
  const response = await post(PATH, EXAMPLE)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  const text = await response.text()
  const { result } = JSON.parse(text) as ExecutionResult
  expect(text).toBe(
    `{\n  "success": true,\n  "result": ${JSON.stringify(result)},\n  "exit_code": 0\n}`,
  )
  expect(result).toMatch(/^total \d+\n/)
  expect(result).toMatch(/^-rw\S+ +1 \S+ +\S+ +1 .* one\.txt$/m)
  expect(result).toMatch(/^-rw\S+ +1 \S+ +\S+ +2 .* two\.txt$/m)
})

test('answers failed commands, unknown tools, invalid arguments and denied calls in the same shape', async () => {
  const { post } = await apiServer({
    permissions: { allow: ['Bash(sh fail.sh)'], deny: ['Bash(rm *)'] },
    files: { 'fail.sh': 'echo broken >&2\nexit 3\n' },
  })
  const texts = async (tool_name: string, args: object): Promise<[number, string]> => {
    const response = await post(PATH, { tool_name, arguments: args })
    return [response.status, await response.text()]
  }
  expect(await texts('bash', { command: 'sh fail.sh' })).toEqual([
    200,
    '{\n  "success": false,\n  "result": "broken\\nExit code 3",\n  "exit_code": 3\n}',
  ])
  const failed =
    /^\{\n {2}"success": false,\n {2}"result": "(\w+): [^\n]+",\n {2}"exit_code": null\n\}$/
  for (const [tool, args, type] of [
    ['no_such_tool', {}, 'not_found'],
    ['bash', { comand: 'ls' }, 'invalid_input'],
    ['bash', { command: 7 }, 'invalid_input'],
    ['bash', { command: 'rm -r x' }, 'permission_denied'],
  ] as const) {
    const [status, text] = await texts(tool, args)
    expect(status).toBe(200)
    expect(failed.exec(text)?.[1]).toBe(type)
  }
})

test('refuses a background command of a separate call', async () => {
  const { post } = await apiServer({ permissions: { allow: ['Bash(sleep *)'] } })
  const call = {
    tool_name: 'bash',
    arguments: { command: 'sleep 60', run_in_background: true },
  }
  const alone = (await (await post(PATH, call)).json()) as ExecutionResult
  expect(alone).toMatchObject({ success: false, exit_code: null })
  expect(alone.result).toMatch(/^invalid_input: bash_\d+ is stopped with this call: .*share a run/)
  const shared = (await (await post(PATH, { ...call, run: 'one' })).json()) as ExecutionResult
  expect(shared).toMatchObject({ success: true })
})

test('refuses an invalid call with the reason', async () => {
  const { post } = await apiServer()
  for (const [body, code] of [
    ['{"tool_name": "bash"', 'invalid_json'],
    [{ tool_name: 'bash' }, 'invalid_request'],
    [{ tool_name: 'bash', arguments: [] }, 'invalid_request'],
    [{ tool_name: 'bash', arguments: {}, run: '../x' }, 'invalid_request'],
    [{ tool_name: 'bash', arguments: {}, cwd: '/' }, 'invalid_request'],
    [{ tool_name: 'bash', arguments: {}, folder: 'here' }, 'folder_not_found'],
    [{ tool_name: 'bash', arguments: {}, folder: '/no/such' }, 'folder_not_found'],
  ] as const) {
    const response = await post(PATH, body)
    expect(await response.json()).toMatchObject({ code, status: response.status })
  }
})

longTest(
  'executes the other specified tools; files read in a run may be written in it',
  async () => {
    const { post, folder } = await apiServer({
      permissions: { allow: ['Edit(**)'] },
      files: {
        'package.json': '{\n  "name": "my-app"\n}',
        'src/index.ts': 'export const one = 1\n',
        'notes.unknown': 'x',
      },
    })
    const call = async (
      tool_name: string,
      args: object,
      run?: string,
    ): Promise<ExecutionResult> => {
      const response = await post(PATH, { tool_name, arguments: args, ...(run && { run }) })
      expect(response.status).toBe(200)
      return (await response.json()) as ExecutionResult
    }
    const good = async (tool_name: string, args: object): Promise<unknown> => {
      const { success, result, exit_code } = await call(tool_name, args)
      expect({ success, exit_code }).toEqual({ success: true, exit_code: null })
      return JSON.parse(result)
    }
    expect(await good('read_file', { path: 'package.json' })).toMatchObject({
      content: '{\n  "name": "my-app"\n}',
      lines: 3,
    })
    expect(await good('list_files', { directory: '.', pattern: '**/*.ts' })).toEqual({
      files: ['src/index.ts'],
      count: 1,
    })
    expect(await good('search_code', { query: 'const one' })).toMatchObject({
      matches: [{ file: 'src/index.ts', line_number: 1 }],
    })
    expect(await good('write_file', { path: 'new.txt', content: 'hi' })).toMatchObject({
      success: true,
    })
    expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('hi')
    const diagnosed = await call('get_diagnostics', { file: 'notes.unknown' })
    expect(diagnosed).toEqual({
      success: false,
      result: expect.stringContaining('There is no language server for .unknown files') as string,
      exit_code: null,
    })

    const change = { path: 'src/index.ts', content: 'export {}' }
    expect(await call('write_file', change)).toMatchObject({ success: false })
    expect(await call('write_file', change, 'one')).toMatchObject({ success: false })
    await call('read_file', { path: change.path }, 'one')
    expect(await call('write_file', change, 'other')).toMatchObject({ success: false })
    expect(await call('write_file', change, 'one')).toMatchObject({ success: true })
    expect(readFileSync(join(folder, change.path), 'utf8')).toBe(change.content)
  },
)

/**
 * Follows the pending requests as an approver does. Resolves when the server counts this client.
 */
async function attend({ ask }: ApiServer): Promise<{ readonly leave: () => void }> {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const response = await ask('/api/approvals/events', { signal: gone.signal })
  const reader = response.body!.getReader()
  await reader.read()
  return { leave: () => gone.abort() }
}

/** Executes a call that needs approval. */
async function waitingCall(
  { post }: ApiServer,
  command: string,
): Promise<{ readonly id: string; readonly request: PendingRequest }> {
  const response = await post(PATH, { tool_name: 'bash', arguments: { command } })
  expect(response.status).toBe(202)
  const { approval, ...result } = (await response.json()) as ExecutionResult
  expect(result).toEqual({
    success: false,
    result: 'The call waits for a person: see approval.',
    exit_code: null,
  })
  return approval as { id: string; request: PendingRequest }
}

test('executes an approved call once, and keeps its result', async () => {
  const api = await apiServer()
  await attend(api)
  const { id, request } = await waitingCall(api, 'touch made.txt && echo made')
  expect(request).toMatchObject({ type: 'approval', run: id, tool: 'bash' })
  expect(await (await api.ask('/api/approvals')).json()).toEqual([request])
  expect((await api.ask(`/api/tools/executions/${id}`)).status).toBe(202)
  expect(existsSync(join(api.folder, 'made.txt'))).toBe(false)

  const { key } = request
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.post(`/api/runs/${id}/approve`, { key })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.sort((one, other) => one - other)).toEqual([204, 409, 409])
  const result = await api.ask(`/api/tools/executions/${id}?wait=30`)
  expect(result.status).toBe(200)
  expect(await result.text()).toBe(
    '{\n  "success": true,\n  "result": "made",\n  "exit_code": 0\n}',
  )
  expect(existsSync(join(api.folder, 'made.txt'))).toBe(true)
  const late = await api.post(`/api/runs/${id}/deny`, { key })
  expect(await late.json()).toMatchObject({ status: 409, code: 'not_pending' })
  expect(await (await api.ask('/api/approvals')).json()).toEqual([])
})

test('returns the reason for a denial', async () => {
  const api = await apiServer()
  await attend(api)
  const { id, request } = await waitingCall(api, 'touch made.txt')
  const { key } = request
  const wrong = await api.post(`/api/runs/${id}/deny`, { key: 'approval/other' })
  expect(await wrong.json()).toMatchObject({ status: 409, code: 'not_pending' })
  const denied = await api.post(`/api/runs/${id}/deny`, { key, reason: 'Not on a Friday.' })
  expect(denied.status).toBe(204)
  const result = await api.ask(`/api/tools/executions/${id}?wait=30`)
  expect(await result.json()).toEqual({
    success: false,
    result: expect.stringMatching(/^permission_denied: .*Not on a Friday\./) as string,
    exit_code: null,
  })
  expect(existsSync(join(api.folder, 'made.txt'))).toBe(false)
})

longTest('stops a pending call before any of it runs', async () => {
  const api = await apiServer()
  await attend(api)
  const { id } = await waitingCall(api, 'touch made.txt')
  const stop = (): Promise<Response> => api.ask(`/api/tools/executions/${id}`, { method: 'DELETE' })
  expect((await stop()).status).toBe(204)
  const result = await api.ask(`/api/tools/executions/${id}?wait=30`)
  expect(await result.json()).toMatchObject({ success: false, exit_code: null })
  expect(await (await stop()).json()).toMatchObject({ status: 404, code: 'not_found' })
  expect(await (await api.ask('/api/approvals')).json()).toEqual([])
  expect(existsSync(join(api.folder, 'made.txt'))).toBe(false)
})

test('denies a call immediately if no approver is present', async () => {
  const { post } = await apiServer()
  const response = await post(PATH, { tool_name: 'bash', arguments: { command: 'touch x' } })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({
    code: 'approval_unavailable',
    success: false,
    result: expect.stringContaining('permission_denied: ') as string,
    exit_code: null,
  })
})

test('stops a running command when the client disconnects', async () => {
  const api = await apiServer({
    permissions: { allow: ['Bash(sh wait.sh *)'] },
    files: { 'wait.sh': 'sleep 600; echo "$1"\n' },
  })
  const mark = randomUUID()
  const gone = new AbortController()
  const response = api.post(
    PATH,
    { tool_name: 'bash', arguments: { command: `sh wait.sh ${mark}` } },
    { signal: gone.signal },
  )
  response.catch(() => {})
  await vi.waitUntil(() => stillRuns(mark), 20_000)
  gone.abort()
  await expect(response).rejects.toThrow()
  await vi.waitUntil(() => !stillRuns(mark), 20_000)
})

test('denies pending calls and stops running ones when the server stops', async () => {
  const api = await apiServer({ files: { 'wait.sh': 'sleep 600; echo "$1"\n' } })
  await attend(api)
  const { id } = await waitingCall(api, 'touch made.txt')
  const mark = randomUUID()
  const running = await waitingCall(api, `sh wait.sh ${mark}`)
  await api.post(`/api/runs/${running.id}/approve`, { key: running.request.key })
  await vi.waitUntil(() => stillRuns(mark), 20_000)
  const result = api.ask(`/api/tools/executions/${running.id}?wait=60`).catch(() => undefined)
  expect((await api.ask(`/api/tools/executions/${id}`)).status).toBe(202)
  await api.server.close()
  await result
  expect(stillRuns(mark)).toBe(false)
  expect(existsSync(join(api.folder, 'made.txt'))).toBe(false)
  expect(api.errors).toEqual([])
})
