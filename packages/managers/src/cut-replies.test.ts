import type { Model, ModelChunk } from '@toolglot/agent'
import { defaultLimits } from '@toolglot/agent'
import { describe, expect, test, vi } from 'vitest'
import { LLMManager, PTKManager, type PTKTool } from './index.ts'

const open = '<PTK_CALL>{"tool":"remove","args":{"path":"/a"}}'
const removed = vi.fn(() => 'removed')
const remove: PTKTool = {
  name: 'remove',
  description: 'Remove a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  handler: removed,
}

function modelOf(...chunks: ModelChunk[]): Model {
  return {
    name: 'small',
    async *reply() {
      yield* chunks
    },
  }
}

const text = (delta: string): ModelChunk => ({ type: 'text', delta })

describe('LLMManager', () => {
  test.each<[string, ModelChunk[], string]>([
    ['cut off', [text('ab'), { type: 'finish', finish: 'length' }], 'cut off after 2 characters'],
    ['broken', [text('abc')], 'cut off after 3 characters'],
    ['a call', [{ type: 'call', index: 0, name: 'x' }], 'small replied with a call, not text.'],
  ])('throws if the reply is %s', async (_, chunks, message) => {
    await expect(new LLMManager(modelOf(...chunks)).call('Go')).rejects.toThrow(message)
  })

  test.each(['stop', 'stop-string'] as const)(
    'accepts a reply that ended with %s',
    async (finish) => {
      const model = modelOf(text('a'), text('b'), { type: 'finish', finish })
      expect(await new LLMManager(model).call('Go')).toBe('ab')
    },
  )

  test('a call that was cut off does not run', async () => {
    const llmManager = new LLMManager(modelOf(text(open), { type: 'finish', finish: 'length' }))
    const ended = await new PTKManager(llmManager).execute('Go', { tools: [remove] })
    expect(ended.errorCode).toBe('LLM_CALL_FAILED')
    expect(removed).not.toHaveBeenCalled()
  })
})

describe('a call without an end, from a function that returns text', () => {
  const large = `<PTK_CALL>{"tool":"remove","args":{"path":"${'a'.repeat(defaultLimits.maxReply)}"}}</PTK_CALL>`

  test.each([
    ['at the end', open],
    ['before another one', `${open}\n${open}</PTK_CALL>`],
    ['too large', large],
  ])('ends the execution: %s', async (_, reply) => {
    const call = vi.fn().mockResolvedValueOnce(reply).mockResolvedValueOnce('Done')
    const ended = await new PTKManager({ call }).execute('Go', { tools: [remove] })
    expect(ended).toMatchObject({
      errorCode: 'PARSE_ERROR',
      error: 'The call of remove was cut off.',
    })
    expect(removed).not.toHaveBeenCalled()
  })

  test('a call without an end is reported to the model', async () => {
    const call = vi.fn().mockResolvedValueOnce(open).mockResolvedValueOnce('Done')
    const onMalformed = 'feedback'
    const ended = await new PTKManager({ call }).execute('Go', { tools: [remove], onMalformed })
    expect(ended).toMatchObject({ success: true, content: 'Done' })
    expect(ended.messages.at(-2)!.content).toMatch('The call was cut off')
    expect(removed).not.toHaveBeenCalled()
  })
})

test('a number that cannot be represented is an invalid argument', async () => {
  const reply = '<PTK_CALL>{"tool":"remove","args":{"size":12345678901234567890}}</PTK_CALL>'
  const call = vi.fn().mockResolvedValueOnce(reply).mockResolvedValueOnce('Done')
  const ended = await new PTKManager({ call }).execute('Go', { tools: [remove] })
  expect(ended.errorCode).toBe('INVALID_TOOL_CALL')
  expect(call).toHaveBeenCalledTimes(1)
})
