import { protocols } from '@toolglot/core'
import { json, wire } from '@toolglot/core/draw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetTools } from '../../test/vcp.ts'
import {
  createToolDiscoveryService,
  executeToolRequests,
  type MethodMetadata,
  parseToolRequests,
  processToolCallCycle,
  resolveProtocol,
  type ToolCallConfig,
  type ToolCallingProtocol,
  toolRegistryManager,
  useToolCalling,
} from '../index.ts'

const ran = vi.fn(({ text = 'x' }: Record<string, string>) => text)

function register(flags: Partial<MethodMetadata> = {}): void {
  const methods = [{ name: 'write', agentCallable: true, ...flags }]
  toolRegistryManager.register({ id: 'files', getMetadata: () => ({ methods }), write: ran })
}

beforeEach(() => {
  ran.mockClear()
})
afterEach(forgetTools)

const block = (...lines: string[]): string =>
  ['<<<[TOOL_REQUEST]>>>', ...lines, '<<<[END_TOOL_REQUEST]>>>'].join('\n')
const written = block('tool_name:「始」files_write「末」')
const doubtful = `<think>Perhaps ${written}`

async function resultsOf(reply: string, config: ToolCallConfig = {}): Promise<string[]> {
  const { executionResults } = await processToolCallCycle(reply, { config })
  return executionResults.map(({ result }) => result)
}

describe("flags in a method's metadata", () => {
  test('a dangerous method needs confirmation', async () => {
    register({ dangerous: true })
    expect(await resultsOf(written)).toEqual(['用户未授权'])
    expect(ran).not.toHaveBeenCalled()
  })

  test('a read-only method in a code fence needs no confirmation', async () => {
    register({ readOnly: true })
    expect(await resultsOf(`\`\`\`\n${written}\n\`\`\``)).toEqual(['x'])
  })

  test('a method without a name is not found as "undefined"', async () => {
    register()
    const reply = block('tool_name:「始」files_undefined「末」')
    expect(await resultsOf(reply)).toEqual(['方法不存在: files_undefined'])
  })
})

test.each([
  ['the same', (request: object) => request],
  ['a clone', (request: object) => structuredClone(request)],
  ['a spread', (request: object) => ({ ...request })],
  ['JSON', (request: object) => JSON.parse(JSON.stringify(request)) as object],
  ['a proxy', (request: object) => new Proxy(request, {})],
])('the form of a call is respected in %s', async (_, copy) => {
  register()
  const requests = parseToolRequests(doubtful).map(copy) as ReturnType<typeof parseToolRequests>
  expect(await executeToolRequests(requests)).toMatchObject([{ result: '用户未授权' }])
  expect(ran).not.toHaveBeenCalled()
})

describe('the configuration', () => {
  test.each<[object, string]>([
    [{ tools: ['files_read'] }, 'Unknown key tools'],
    [{ presets: {} }, 'Unknown key presets'],
    [{ requireConfimation: true }, 'Did you mean requireConfirmation?'],
    [{ requireConfirmation: 'true' }, 'requireConfirmation must be true or false'],
    [{ enabled: 'true' }, 'enabled must be true or false'],
    [{ mode: 'Manual' }, 'mode must be "auto" or "manual"'],
    [{ timeout: 0 }, 'timeout must be a positive number of milliseconds'],
  ])('%o throws', async (wrong, message) => {
    register()
    const config = { enabled: true, ...wrong } as ToolCallConfig
    expect(() => createToolDiscoveryService().generatePrompt({ config })).toThrow(message)
    await expect(processToolCallCycle(written, { config })).rejects.toThrow(message)
    await expect(useToolCalling().processCycle(written, config)).rejects.toThrow(message)
    await expect(executeToolRequests(parseToolRequests(written), { config })).rejects.toThrow(
      message,
    )
    expect(ran).not.toHaveBeenCalled()
  })

  test('with enabled: false, no tool runs', async () => {
    register()
    const config = { enabled: false, requireConfirmation: true }
    const onBeforeExecute = vi.fn(() => true)
    const options = { config, onBeforeExecute }
    expect(await processToolCallCycle(written, options)).toMatchObject({ hasToolRequests: false })
    expect(await executeToolRequests(parseToolRequests(written), options)).toMatchObject([
      { result: '方法不可调用: files_write' },
    ])
    expect(onBeforeExecute).not.toHaveBeenCalled()
    expect(ran).not.toHaveBeenCalled()
  })
})

test('restores text copied by a model in a custom protocol', async () => {
  register()
  const call = wire`[[CALL]]\n${json({ name: 'tool', args: 'args' })}\n[[/CALL]]`
  const protocol = { ...protocols['tool-call'], id: 'mine', call }
  const result = { requestId: '1', toolName: 'a', result: '[[CALL]]', durationMs: 0 }
  const shown = resolveProtocol(protocol).formatToolResults([{ ...result, status: 'success' }])
  const text = /\[\u2060\[CALL\]\]/.exec(shown)![0]
  const reply = `[[CALL]]\n${JSON.stringify({ tool: 'files_write', args: { text } })}\n[[/CALL]]`
  expect(await resultsOf(reply, { protocol })).toEqual(['[[CALL]]'])
  const { executionResults } = await processToolCallCycle(reply, { protocol })
  expect(executionResults).toMatchObject([{ result: '[[CALL]]' }])
})

test.each([
  [
    'a cut call',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」files_write「末」\ntext:「始」a',
    'files_write was cut off',
  ],
  [
    'an unsafe name',
    block('tool_name:「始」a_b「末」', 'constructor:「始」x「末」'),
    'no keys such as __proto__',
  ],
])('the model gets the reason why it could not be read: %s', async (_, reply, why) => {
  register()
  expect(await resultsOf(reply)).toEqual([expect.stringMatching(`^无效格式: .*${why}`)])
})

test('stopping ends the wait for an answer that never comes', async () => {
  register()
  const stop = new AbortController()
  const onBeforeExecute = (): Promise<boolean> => {
    stop.abort(new Error('stopped'))
    return new Promise(() => {})
  }
  const options = { config: { requireConfirmation: true }, onBeforeExecute, signal: stop.signal }
  const results = await executeToolRequests(parseToolRequests(written), options)
  expect(results).toMatchObject([{ status: 'error', result: 'stopped' }])
})

test('keeps separate prompts for two protocols with one id', () => {
  register()
  const made = (prompt: string): ToolCallingProtocol => ({
    id: 'same',
    generateToolDefinitions: () => prompt,
    parseToolRequests: () => [],
    formatToolResults: () => '',
  })
  const service = createToolDiscoveryService()
  const prompts = ['one', 'two'].map((text) =>
    service.generatePrompt({ config: { enabled: true, protocol: made(text) } }),
  )
  expect(prompts).toEqual(['one', 'two'])
})

test('a tool without metadata has no methods, and one with failing metadata is reported', () => {
  register()
  const config = { enabled: true }
  toolRegistryManager.register({ id: 'empty', getMetadata: () => undefined as never })
  expect(createToolDiscoveryService().generatePrompt({ config })).toContain('files_write')
  const getMetadata = (): never => {
    throw new Error('no')
  }
  toolRegistryManager.register({ id: 'bad', getMetadata })
  expect(() => createToolDiscoveryService().generatePrompt({ config })).toThrow(
    'getMetadata of bad failed: no',
  )
  expect(() => toolRegistryManager.register({ id: '' })).toThrow(
    'The id of a tool must be a non-empty string',
  )
})
