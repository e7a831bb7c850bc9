import { describe, expect, test, vi } from 'vitest'
import { scripted } from '../../test/scripted.ts'
import { PTKManager, type PTKMessage, type PTKTool } from '../index.ts'

const path = { type: 'string', description: 'File path' } as const
const parameters = { type: 'object', properties: { path }, required: ['path'] } as const
const readFile = vi.fn<PTKTool['handler']>()

describe('formatPrompt', () => {
  const ptkManager = new PTKManager(scripted())
  const tool: PTKTool = { name: 'read_file', description: 'Read', parameters, handler: readFile }

  test('describes the tools, followed by the history and the prompt', () => {
    const history: PTKMessage[] = [
      { role: 'user', content: 'First question' },
      { role: 'assistant', content: 'First answer' },
    ]
    const text = ptkManager.formatPrompt('Second question', [tool], history)
    const parts = ['• read_file: Read', 'First question', 'First answer', 'Second question']
    const places = parts.map((part) => text.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((one, other) => one - other))
  })

  test('without tools and history, returns the prompt', () => {
    expect(ptkManager.formatPrompt('Hello', [])).toBe('Hello')
  })

  test('returns the text that is sent to the model', async () => {
    const llmManager = scripted('Hi')
    const manager = new PTKManager(llmManager)
    await manager.execute('Hello', { tools: [tool] })
    expect(llmManager.call.mock.calls[0]![0]).toBe(manager.formatPrompt('Hello', [tool]))
  })
})

test('parseResponse reads a reply', () => {
  const ptkManager = new PTKManager(scripted())
  const raw = 'Wait. <PTK_CALL>{"tool":"ping","args":{}}</PTK_CALL>'
  expect(ptkManager.parseResponse(raw)).toEqual({
    type: 'tool_call',
    toolCall: { tool: 'ping', args: {} },
    raw,
  })
  expect(ptkManager.parseResponse('Hi')).toEqual({ type: 'text', content: 'Hi', raw: 'Hi' })
})
