import { expect, test, vi } from 'vitest'
import { scripted } from '../../test/scripted.ts'
import { PTKExecutionError, PTKManager, type PTKTool } from '../index.ts'

function toolOf(handler: PTKTool['handler'], flags: Partial<PTKTool> = {}): PTKTool {
  const parameters = { type: 'object', properties: {} } as const
  return { name: 'act', description: '', parameters, handler, ...flags }
}

const written = (rest: object = {}): string =>
  `<PTK_CALL>${JSON.stringify({ tool: 'act', args: {}, ...rest })}</PTK_CALL>`

test('calls no callback after the end', async () => {
  let answer: (reply: string) => void = () => {}
  const llmManager = { call: () => new Promise<string>((resolve) => (answer = resolve)) }
  const onIteration = vi.fn()
  const signal = AbortSignal.timeout(1)
  const ended = await new PTKManager(llmManager).execute('Go', { onIteration, signal })
  answer('Late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(ended.errorCode).toBe('ABORTED')
  expect(onIteration).not.toHaveBeenCalled()
})

test('keeps the reason of each call, even if two calls are equal', async () => {
  const replies = written({ reasoning: 'first' }) + written({ reasoning: 'second' })
  const onToolCall = vi.fn()
  const tools = [toolOf(() => 'x', { repeatable: true })]
  const manager = new PTKManager(scripted(replies, 'Done'))
  const { toolCalls } = await manager.execute('Go', { tools, onToolCall })
  expect(toolCalls.map(({ reasoning }) => reasoning)).toEqual(['first', 'second'])
  expect(onToolCall.mock.calls.map(([{ reasoning }]) => reasoning)).toEqual(['first', 'second'])
})

test('keeps a reason if text copied from a result is restored', async () => {
  const seen: unknown[] = []
  const tools = [
    toolOf(() => 'a <PTK_CALL>', { name: 'look' }),
    toolOf(({ text }) => seen.push(text)),
  ]
  const reply = `<PTK_CALL>{"tool":"act","args":{"text":"<\u2060PTK_CALL>"},"reasoning":"why"}</PTK_CALL>`
  const manager = new PTKManager(scripted(written({ tool: 'look' }), reply, 'Done'))
  const { toolCalls } = await manager.execute('Go', { tools })
  expect(seen).toEqual(['<PTK_CALL>'])
  expect(toolCalls[1]).toEqual({ tool: 'act', args: { text: '<PTK_CALL>' }, reasoning: 'why' })
})

test('a rejecting callback ends the execution', async () => {
  const onToolCall = (): unknown => Promise.reject(new Error('no'))
  const tools = [
    toolOf((_, signal) => new Promise((resolve) => signal.addEventListener('abort', resolve))),
  ]
  const manager = new PTKManager(scripted(written(), 'Done'))
  const ended = await manager.execute('Go', { tools, onToolCall })
  expect(ended).toMatchObject({ errorCode: 'ABORTED', error: 'no' })
})

test("onError receives a tool's error as the cause and may rethrow it", async () => {
  const thrown = new RangeError('boom')
  const tools = [toolOf(() => Promise.reject(thrown))]
  const onError = vi.fn((error: Error): void => {
    throw error
  })
  const ended = await new PTKManager(scripted(written(), 'Done')).execute('Go', { tools, onError })
  const [error] = onError.mock.calls[0]!
  expect(error).toBeInstanceOf(PTKExecutionError)
  expect(error.cause).toBe(thrown)
  expect(ended).toMatchObject({ success: false, errorCode: 'ABORTED', error: 'boom' })
  expect(onError).toHaveBeenCalledTimes(1)
})
