/**
 * The documented integration, verbatim, except for these changes:
 *
 * - `ptkManager` and `interpolatePrompt` are undefined in the document; here they are those of this
 *   package.
 * - Other types of actions, which are only a comment there, throw.
 * - `tools` and `totalTokens` are omitted if there are none, since the compiler distinguishes that
 *   from undefined.
 * - Line breaks and quotes are those of the formatter.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { scripted } from '../test/scripted.ts'
import {
  ActionType,
  type ExecutionContext,
  ExecutionManager,
  type IToolManager,
  type PTKExecuteOptions,
  type PTKExecuteResult,
  PTKManager,
  type Step,
  type StepResult,
} from './index.ts'

const step: Step = {
  stepId: 'step-1',
  actionType: ActionType.PTK,
  config: { ptk: { prompt: 'Explain {{file}}', tools: ['read_file', 'search_code'] } },
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

class DocumentedExecutionManager {
  private ptkManager: PTKManager

  constructor(ptkManager: PTKManager) {
    this.ptkManager = ptkManager
  }

  async executeStep(step: Step, context: ExecutionContext): Promise<StepResult> {
    if (step.actionType === ActionType.PTK) {
      // Use PTK Manager for step with tool calling

      const prompt = this.interpolatePrompt(step.config.ptk.prompt, context)

      const result = await this.ptkManager.execute(prompt, {
        ...(step.config.ptk.tools && { tools: step.config.ptk.tools }), // Tool names: ['read_file', 'search_code']
        maxIterations: step.config.ptk.maxIterations || 5,

        onToolCall: (toolCall) => {
          console.log(`Tool called: ${toolCall.tool}`, toolCall.args)
        },

        onIteration: (info) => {
          console.log(`Iteration ${info.iteration}: ${info.type}`)
        },
      })

      return {
        stepId: step.stepId,
        success: result.success,
        output: result.content,
        metadata: {
          iterations: result.iterations,
          toolCalls: result.toolCalls,
          ...(result.totalTokens !== undefined && { totalTokens: result.totalTokens }),
        },
      }
    }

    throw new TypeError('Another type of action')
  }

  private interpolatePrompt(prompt: string, context: ExecutionContext): string {
    return new ExecutionManager(this.ptkManager).interpolatePrompt(prompt, context)
  }
}

describe('executeStep', () => {
  const toolManager: IToolManager = { execute: vi.fn(async () => ({ content: 'sum' })) }
  const toolCall = { tool: 'read_file', args: { path: 'sum.ts' } }
  const reply = `<PTK_CALL>${JSON.stringify(toolCall)}</PTK_CALL>`

  test('sends the prompt to the model with tools and reports the result, as documented', async () => {
    const llmManager = scripted(reply, 'It adds.')
    const executionManager = new ExecutionManager(new PTKManager(llmManager, toolManager))

    const result = await executionManager.executeStep(
      step,
      { file: 'sum.ts' },
      {
        onToolCall: (toolCall) => {
          console.log(`Tool called: ${toolCall.tool}`, toolCall.args)
        },

        onIteration: (info) => {
          console.log(`Iteration ${info.iteration}: ${info.type}`)
        },
      },
    )

    expect(result).toEqual({
      stepId: 'step-1',
      success: true,
      output: 'It adds.',
      metadata: { iterations: 2, toolCalls: [toolCall], totalTokens: expect.any(Number) },
    })
    expect(llmManager.call.mock.calls[0]![0]).toContain('Explain sum.ts')
    expect(vi.mocked(console.log).mock.calls).toEqual([
      ['Iteration 1: tool_call'],
      ['Tool called: read_file', { path: 'sum.ts' }],
      ['Iteration 2: text'],
    ])
  })

  test('returns the same result as the documented manager', async () => {
    const replies = [reply, 'It adds.']
    const context = { file: 'sum.ts' }
    const documented = await new DocumentedExecutionManager(
      new PTKManager(scripted(...replies), toolManager),
    ).executeStep(step, context)
    const logged = [...vi.mocked(console.log).mock.calls]
    vi.mocked(console.log).mockClear()
    // With a configuration, the logs are the same.
    const ptkManager = new PTKManager(scripted(...replies), toolManager, undefined, {})
    const own = await new ExecutionManager(ptkManager).executeStep(step, context)
    expect(own).toEqual(documented)
    expect(vi.mocked(console.log).mock.calls).toEqual(logged)
    expect(logged).toHaveLength(3)
  })

  test.each([
    [undefined, 5],
    [0, 5],
    [2, 2],
  ])('maxIterations %s: %s', async (maxIterations, expected) => {
    let number = 0
    const call = vi.fn(
      async () => `<PTK_CALL>{"tool":"read_file","args":{"path":"${number++}"}}</PTK_CALL>`,
    )
    const { ptk } = step.config
    const config = { ptk: { ...ptk, ...(maxIterations !== undefined && { maxIterations }) } }
    const result = await new ExecutionManager(new PTKManager({ call }, toolManager)).executeStep({
      ...step,
      config,
    })
    expect(call).toHaveBeenCalledTimes(expected)
    expect(result).toMatchObject({
      success: false,
      output: '',
      error: `Max iterations reached (${expected}). LLM did not provide final answer.`,
      metadata: { iterations: expected },
    })
    expect(result.metadata.toolCalls).toHaveLength(expected)
  })

  test('passes on names of tools and other options', async () => {
    const execute = vi.fn(
      async (_prompt: string, _options?: PTKExecuteOptions): Promise<PTKExecuteResult> => ({
        success: true,
        content: 'Done',
        iterations: 1,
        messages: [],
        toolCalls: [],
        totalToolCalls: 0,
        duration: 0,
      }),
    )
    const result = await new ExecutionManager({ execute }).executeStep(
      step,
      { file: 'a' },
      { model: 'small', maxToolCalls: 1 },
    )
    expect(execute.mock.calls).toEqual([
      [
        'Explain a',
        {
          tools: ['read_file', 'search_code'],
          maxIterations: 5,
          model: 'small',
          maxToolCalls: 1,
        },
      ],
    ])
    expect(result.metadata).toEqual({ iterations: 1, toolCalls: [] })
  })

  test('rejects another type of action', async () => {
    const other = { ...step, actionType: 'SHELL' as ActionType }
    await expect(
      new ExecutionManager(new PTKManager(scripted())).executeStep(other),
    ).rejects.toThrow(new TypeError('Unsupported action type: SHELL. Use PTK.'))
  })
})

describe('interpolatePrompt', () => {
  const executionManager = new ExecutionManager(new PTKManager(scripted()))

  test.each([
    ['a text', 'Read {{file}}.', { file: 'a.ts' }, 'Read a.ts.'],
    ['with spaces', 'Read {{ file }}.', { file: 'a.ts' }, 'Read a.ts.'],
    ['several', '{{a}}{{b}}{{a}}', { a: '1', b: '2' }, '121'],
    ['nested', 'Read {{step.output.file}}.', { step: { output: { file: 'a' } } }, 'Read a.'],
    ['a number', '{{n}} times', { n: 0 }, '0 times'],
    ['a letter of any language', '{{tệp}} {{文件}}', { tệp: 'a', 文件: 'b' }, 'a b'],
    ['an item of a list', '{{list.1}}', { list: ['a', 'b'] }, 'b'],
    ['a value that JSON cannot represent', '{{n}}', { n: 5n }, '5'],
    ['false and null', '{{no}} {{nil}}', { no: false, nil: null }, 'false null'],
    ['an object', 'Use {{data}}', { data: { a: [1] } }, 'Use {"a":[1]}'],
    ['an empty text', '[{{empty}}]', { empty: '' }, '[]'],
    ['an unknown name', 'Read {{nope}}.', { file: 'a' }, 'Read {{nope}}.'],
    ['an unknown field', 'Read {{file.name}}.', { file: 'a' }, 'Read {{file.name}}.'],
    ['undefined', 'Read {{file}}.', { file: undefined }, 'Read {{file}}.'],
    ['patterns of replace', '{{v}}', { v: "$& $1 $$ $` $'" }, "$& $1 $$ $` $'"],
    ['marks in a value', '{{a}}', { a: '{{b}}', b: 'secret' }, '{{b}}'],
    ['the constructor', '{{constructor}}', {}, '{{constructor}}'],
    ['a prototype', '{{__proto__}} {{a.__proto__}}', { a: {} }, '{{__proto__}} {{a.__proto__}}'],
    ['a method', '{{a.toString}} {{toString}}', { a: {} }, '{{a.toString}} {{toString}}'],
    ['no marks', 'a { b } }} {{', {}, 'a { b } }} {{'],
  ])('%s', (_, prompt, context, expected) => {
    expect(executionManager.interpolatePrompt(prompt, context)).toBe(expected)
  })
})
