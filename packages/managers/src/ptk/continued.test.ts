import { expect, test, vi } from 'vitest'
import { scripted, writtenCall as call } from '../../test/scripted.ts'
import {
  ContextManager,
  type PTKExecuteOptions,
  PTKManager,
  type PTKMessage,
  type PTKTool,
} from '../index.ts'

function toolNamed(name: string, handler: PTKTool['handler'], required: string[] = []): PTKTool {
  return {
    name,
    description: name,
    parameters: { type: 'object', properties: {}, required },
    handler,
  }
}

const sent = vi.fn(() => 'sent')
const send = toolNamed('send', sent)

/** The messages in a context after a prompt. */
async function keptOf(
  reply: string,
  tools: PTKTool[],
  options: PTKExecuteOptions = {},
): Promise<{ readonly kept: PTKMessage[]; readonly called: string[] }> {
  sent.mockClear()
  const context = new ContextManager()
  const manager = new PTKManager(scripted(reply), undefined, context)
  const { toolCalls } = await manager.execute('Send the mail.', { tools, ...options })
  expect(sent).toHaveBeenCalledTimes(1)
  return { kept: context.getHistory(), called: toolCalls.map(({ tool }) => tool) }
}

test('the prompt of a continued conversation begins with the previous prompt', async () => {
  const look = toolNamed('look', () => 'a <PTK_CALL> b')
  const llmManager = scripted(`Hm. ${call('look')}`, 'Done.', call('look'), 'Again.')
  const context = new ContextManager()
  const manager = new PTKManager(llmManager, undefined, context)
  await manager.execute('First', { tools: [look] })
  const history = context.getHistory()
  const { messages } = await manager.execute('Second', { tools: [look] })
  const prompts = llmManager.call.mock.calls.map(([prompt]) => prompt)
  expect(prompts[2]!.startsWith(`${prompts[1]!}Done.`)).toBe(true)
  expect(prompts[3]!.startsWith(`${prompts[2]!}${call('look')}`)).toBe(true)
  expect(messages.map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'assistant'],
    ...['user', 'assistant', 'tool', 'assistant'],
  ])
  expect(manager.formatPrompt('Second', [look], history)).toBe(prompts[2])
})

test('results are kept if another call of the reply is invalid', async () => {
  const other = toolNamed('other', () => 'x', ['path'])
  const reply = call('send') + call('other')
  const { kept, called } = await keptOf(reply, [send, other])
  expect(called).toEqual(['send'])
  expect(kept).toEqual([
    { role: 'user', content: 'Send the mail.' },
    { role: 'assistant', content: reply },
    { role: 'tool', content: expect.stringMatching(/^PTK_RESULT: "sent"\n\n.*not run/) },
  ])
})

test('results are kept if a callback throws', async () => {
  const onToolCall = vi.fn((): void => {
    if (onToolCall.mock.calls.length > 1) throw new Error('no')
  })
  const other = toolNamed('other', () => 'x')
  const { kept, called } = await keptOf(call('send') + call('other'), [send, other], { onToolCall })
  expect(called).toEqual(['send'])
  expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
})

test('results are kept if the execution is stopped while a tool runs', async () => {
  const stop = new AbortController()
  const slow = toolNamed(
    'slow',
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('It stopped half-way.')))
        stop.abort()
      }),
  )
  const { signal } = stop
  const { kept, called } = await keptOf(call('send') + call('slow'), [send, slow], { signal })
  expect(called).toEqual(['send', 'slow'])
  expect(kept[2]!.content).toMatch('"sent"\nPTK_ERROR: It stopped half-way.')
})

test('messages of two executions are not interleaved', async () => {
  const kept: string[] = []
  const context = {
    async addMessage({ content }: PTKMessage) {
      kept.push(content)
      await Promise.resolve()
    },
  }
  const llmManager = { call: async (prompt: string) => (prompt.includes('one') ? '1' : '2') }
  const manager = new PTKManager(llmManager, undefined, context)
  await Promise.all([manager.execute('one'), manager.execute('two')])
  expect(kept).toEqual(['one', '1', 'two', '2'])
})

test('an error while storing a message is reported, and the answer is returned', async () => {
  const context = { addMessage: () => Promise.reject(new Error('disk full')) }
  const onError = vi.fn((error: Error): void => {
    throw error
  })
  const manager = new PTKManager(scripted('Hi'), undefined, context)
  expect(await manager.execute('Go', { onError })).toMatchObject({ success: true, content: 'Hi' })
  expect(onError.mock.calls[0]![0].message).toBe('disk full')
})
