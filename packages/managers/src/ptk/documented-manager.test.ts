/**
 * The documented manager, verbatim, with the components of this package, and a comparison with
 * `PTKManager` on the same replies. Changes:
 *
 * - Parameter properties are fields, since the compiler allows only erasable syntax.
 * - The context manager is omitted, because it is never used and unused members are not allowed.
 * - `tool.handler` also receives a signal. `!` marks values whose presence the compiler cannot
 *   know.
 * - Comments are omitted, and line breaks and quotes are those of the formatter.
 */
import { describe, expect, test } from 'vitest'
import {
  type ILLMManager,
  PTKErrorCode,
  type PTKExecuteOptions,
  type PTKExecuteResult,
  PTKExecutionError,
  PTKFormatter,
  PTKManager,
  type PTKMessage,
  PTKParser,
  type PTKTool,
  type PTKToolCall,
} from '../index.ts'

type Options = Omit<PTKExecuteOptions, 'tools'>

class DocumentedManager {
  private formatter: PTKFormatter
  private parser: PTKParser
  private llmManager: ILLMManager

  constructor(llmManager: ILLMManager) {
    this.llmManager = llmManager
    this.formatter = new PTKFormatter()
    this.parser = new PTKParser()
  }
  async orchestrateToolCalling(
    prompt: string,
    options: Options & { tools?: PTKTool[] } = {},
  ): Promise<PTKExecuteResult> {
    const {
      tools = [],
      maxIterations = 10,
      maxToolCalls = 20,
      detectDuplicates = true,
      duplicateWindow = 3,
      onIteration,
      onToolCall,
      onError,
      onDuplicateDetected,
    } = options

    const toolMap = new Map(tools.map((t) => [t.name, t]))
    const messages: PTKMessage[] = []
    const toolCalls: PTKToolCall[] = []

    const systemPrompt = this.formatter.formatSystemPrompt(tools)
    messages.push({ role: 'system', content: systemPrompt })
    messages.push({ role: 'user', content: prompt })

    let iteration = 0
    let toolCallCount = 0
    const startTime = Date.now()

    while (iteration < maxIterations) {
      iteration++

      try {
        const fullPrompt = this.formatter.formatConversation(messages)

        const llmResponse = await this.llmManager.call(fullPrompt, {
          model: options.model,
          temperature: options.temperature,
        })

        const parsed = this.parser.parse(llmResponse)

        onIteration?.({
          iteration,
          type: parsed.type,
          content: parsed.type === 'text' ? parsed.content : undefined,
          toolCallsSoFar: toolCallCount,
        })

        if (parsed.type === 'text') {
          return {
            success: true,
            content: parsed.content!,
            iterations: iteration,
            messages,
            toolCalls,
            totalToolCalls: toolCallCount,
            duration: Date.now() - startTime,
          }
        }

        if (parsed.type === 'tool_call') {
          if (toolCallCount >= maxToolCalls) {
            throw new PTKExecutionError(
              `Max tool calls limit reached (${maxToolCalls}). Possible infinite loop.`,
              PTKErrorCode.MAX_TOOL_CALLS_REACHED,
              { toolCalls, iteration },
            )
          }

          const validation = this.parser.validate(parsed.toolCall!)
          if (!validation.valid) {
            throw new PTKExecutionError(
              `Invalid tool call: ${validation.error}`,
              PTKErrorCode.INVALID_TOOL_CALL,
            )
          }

          if (!toolMap.has(parsed.toolCall!.tool)) {
            throw new PTKExecutionError(
              `Tool not found: ${parsed.toolCall!.tool}`,
              PTKErrorCode.TOOL_NOT_FOUND,
            )
          }

          if (
            detectDuplicates &&
            this.isDuplicateToolCall(parsed.toolCall!, toolCalls, duplicateWindow)
          ) {
            onDuplicateDetected?.(parsed.toolCall!)
            messages.push({ role: 'assistant', content: llmResponse })
            messages.push({
              role: 'system',
              content: `⚠️ WARNING: You just called "${parsed.toolCall!.tool}" with the same arguments. This looks like a loop. Please try a DIFFERENT approach or provide a final answer if you have enough information.`,
            })
            continue
          }

          onToolCall?.(parsed.toolCall!)

          const tool = toolMap.get(parsed.toolCall!.tool)!
          const { signal } = new AbortController()
          const toolResult = await tool.handler(parsed.toolCall!.args, signal)

          toolCalls.push(parsed.toolCall!)
          toolCallCount++
          messages.push({ role: 'assistant', content: llmResponse })
          messages.push({
            role: 'tool',
            content: this.formatter.formatToolResult({
              success: true,
              data: toolResult,
              error: null,
            }),
          })
        }
      } catch (error) {
        onError?.(error as Error)

        return {
          success: false,
          content: '',
          error: (error as Error).message,
          iterations: iteration,
          messages,
          toolCalls,
          totalToolCalls: toolCallCount,
          duration: Date.now() - startTime,
        }
      }
    }

    return {
      success: false,
      content: '',
      error: `Max iterations reached (${maxIterations}). LLM did not provide final answer.`,
      iterations: iteration,
      messages,
      toolCalls,
      totalToolCalls: toolCallCount,
      duration: Date.now() - startTime,
    }
  }

  private isDuplicateToolCall(
    toolCall: PTKToolCall,
    history: PTKToolCall[],
    window: number,
  ): boolean {
    const recentCalls = history.slice(-window)
    return recentCalls.some((recent) => {
      if (recent.tool !== toolCall.tool) return false
      return JSON.stringify(recent.args) === JSON.stringify(toolCall.args)
    })
  }
}

const read = (path: string, reasoning?: string): string =>
  `<PTK_CALL>${JSON.stringify({ tool: 'read_file', args: { path }, reasoning })}</PTK_CALL>`

/** All events in order, and the end. */
async function observe(
  managerOf: (llmManager: ILLMManager) => Pick<DocumentedManager, 'orchestrateToolCalling'>,
  replies: readonly (string | Error)[],
  options: Options,
  handler: PTKTool['handler'],
) {
  const events: unknown[] = []
  const prompts: string[] = []
  const call: ILLMManager['call'] = async (prompt) => {
    const reply = replies[prompts.push(prompt) - 1] ?? replies.at(-1)!
    if (reply instanceof Error) throw reply
    return reply
  }
  const tool: PTKTool = {
    name: 'read_file',
    description: 'Read a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    readOnly: true,
    handler: (args, signal) => {
      events.push(['run', args])
      return handler(args, signal)
    },
  }
  const result = await managerOf({ call }).orchestrateToolCalling('Go', {
    tools: [tool],
    onIteration: (info) => events.push(['iteration', info]),
    onToolCall: (each) => events.push(['call', each]),
    onError: ({ message }) => events.push(['error', message]),
    onDuplicateDetected: (each) => events.push(['duplicate', each]),
    ...options,
  })
  const { success, content, error, iterations, toolCalls, totalToolCalls } = result
  const [prompt] = prompts
  return { events, prompt, success, content, error, iterations, toolCalls, totalToolCalls }
}

const both = (
  replies: readonly (string | Error)[],
  options: Options = {},
  handler: PTKTool['handler'] = () => 'x',
) =>
  Promise.all([
    observe((llmManager) => new DocumentedManager(llmManager), replies, options, handler),
    observe((llmManager) => new PTKManager(llmManager), replies, options, handler),
  ])

describe('the same as the documented manager', () => {
  test.each<[string, (string | Error)[], Options?]>([
    ['an answer', ['Hi']],
    ['a call, then an answer', [`I'll read it.\n${read('a', 'Why not')}`, 'Done']],
    ['several calls', [read('a'), read('b'), read('c'), 'Done']],
    ['a repeated call', [read('a'), read('a'), 'Done']],
    ['a repeated call within the window', [read('a'), read('b'), read('c'), read('a'), 'Done']],
    ['outside of it', [read('a'), read('b'), read('c'), read('d'), read('a'), 'Done']],
    ['another window', [read('a'), read('b'), read('a'), 'Done'], { duplicateWindow: 1 }],
    ['no detection', [read('a'), read('a'), 'Done'], { detectDuplicates: false }],
    ['the limit of iterations', [read('a'), read('b')], { maxIterations: 2 }],
    ['the documented limit', [read('test.ts')], { maxIterations: 3 }],
    ['the limit of calls', [read('a'), read('b'), read('c')], { maxToolCalls: 2 }],
    ['an unknown tool', ['<PTK_CALL>{"tool":"nope","args":{}}</PTK_CALL>']],
    ['a model that fails', [new Error('offline')]],
    ['a model that fails later', [read('a'), new Error('offline')]],
  ])('%s', async (_, replies, options) => {
    const [documented, own] = await both(replies, options)
    expect(own).toEqual(documented)
  })
})

describe('differences from the documented manager', () => {
  test('a tool that throws is a result and does not end the execution', async () => {
    const [documented, own] = await both([read('a'), 'Done'], {}, () => {
      throw new Error('File not found: a')
    })
    expect(documented).toMatchObject({ success: false, error: 'File not found: a' })
    expect(own).toMatchObject({ success: true, content: 'Done', totalToolCalls: 1 })
    expect(own.events).toContainEqual(['error', 'File not found: a'])
  })

  test('a third repetition ends the execution before the limit of iterations', async () => {
    const [documented, own] = await both([read('a')])
    expect([documented.iterations, own.iterations]).toEqual([10, 4])
    expect([documented.success, own.success]).toEqual([false, false])
  })

  test('an unreadable call is not an answer', async () => {
    const [documented, own] = await both(['<PTK_CALL>{invalid json}</PTK_CALL>'])
    expect(documented).toMatchObject({ success: true })
    expect(own).toMatchObject({ success: false, content: '' })
    const [, asText] = await both(['<PTK_CALL>{invalid json}</PTK_CALL>'], { onMalformed: 'text' })
    expect(asText).toEqual(documented)
  })

  test('an empty reply is not an answer: the model is asked twice more', async () => {
    const [documented, own] = await both([read('a'), ''])
    expect(documented).toMatchObject({ success: true, content: '', iterations: 2 })
    expect(own).toMatchObject({ success: false, content: '', iterations: 4 })
  })

  test('runs all calls in a reply, not only the first', async () => {
    const [documented, own] = await both([`${read('a')}\n${read('b')}`, 'Done'])
    expect([documented.totalToolCalls, own.totalToolCalls]).toEqual([1, 2])
  })
})
