import { collect, run } from '@toolglot/agent'
import { scriptedModel } from '@toolglot/agent/testing'
import { autoParseToolCalls, printPrompt, printResult, stripToolCalls } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { ToolManager } from './index.ts'

describe('formats of different models', () => {
  test.each([
    ['Mistral', '[TOOL_CALLS]func_name[ARGS]{"arg": "value"}', 'func_name'],
    ['Llama3', '<function=name>{"arg": "value"}</function>', 'name'],
    ['Qwen', '<tool_call>{"name": "func", "arguments": {"arg": "value"}}</tool_call>', 'func'],
  ])('%s', (_family, text, name) => {
    expect(autoParseToolCalls(text)).toMatchObject([{ name, args: { arg: 'value' } }])
    expect(stripToolCalls(text)).toBe('')
    expect(stripToolCalls(`I will look.\n${text}`)).toBe('I will look.')
  })

  const bash = {
    type: 'function',
    function: {
      name: 'bash',
      description: 'Execute bash/shell commands on the system...',
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'The shell command to execute' },
        },
        required: ['command'],
      },
    },
  } as const

  test('definitions and results of Mistral', () => {
    const prompt = printPrompt('mistral', [bash])
    const [, json] = /\[AVAILABLE_TOOLS](.*)\[\/AVAILABLE_TOOLS]/s.exec(prompt)!
    expect(JSON.parse(json!)).toEqual([bash])
    expect(printResult('mistral', { call: { name: 'bash' }, output: '<output>' })).toBe(
      '[TOOL_RESULTS]<output>[/TOOL_RESULTS]',
    )
  })

  const manager = new ToolManager()
  manager.registerTool({
    ...bash.function,
    handler: async ({ command }) => ({ success: true, result: `${command}: a.txt`, exit_code: 0 }),
  })
  const question = 'What files are in the current directory?'
  const call = '[TOOL_CALLS]bash[ARGS]{"command": "ls -la"}'

  test('the course of a call', async () => {
    const model = scriptedModel([call, 'There is a.txt.'])
    const { text, reason } = await collect(
      run({ ...manager.callOptions(), model, prompt: question, protocol: 'mistral' }),
    )
    expect([text, reason]).toEqual(['There is a.txt.', 'answer'])
    expect(JSON.stringify(model.requests[0]!.messages)).toContain('[AVAILABLE_TOOLS]')
    expect(JSON.stringify(model.requests[1]!.messages)).toMatch(
      /\[TOOL_RESULTS].*a\.txt.*\[\/TOOL_RESULTS]/,
    )
  })

  test('at most five iterations', async () => {
    const again = (at: number): string => call.replace('-la', `-la ${'/'.repeat(at + 1)}`)
    const model = scriptedModel(Array.from({ length: 9 }, (_, at) => again(at)))
    const limits = { maxIterations: 5 }
    const { reason } = await collect(
      run({
        ...manager.callOptions(),
        ...{ model, prompt: question, protocol: 'mistral', limits, finalizeOnLimit: false },
      }),
    )
    expect(reason).toBe('max_iterations')
    expect(model.requests).toHaveLength(5)
  })
})
