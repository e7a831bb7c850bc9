/**
 * The documented types, verbatim, compared with those of this package: the documented inputs are
 * accepted, and the documented outputs are returned. The linter's ban on `any` is lifted here,
 * since the document uses it.
 */
import { expectTypeOf, test } from 'vitest'
import type * as own from '../index.ts'

/* oxlint-disable typescript/no-explicit-any */
interface PTKExecuteOptions {
  // Tools available
  tools?: PTKTool[]

  // Execution limits
  maxIterations?: number // Default: 10 (max LLM calls)
  maxToolCalls?: number // Default: 20 (max tool executions)
  timeout?: number // milliseconds

  // Callbacks
  onIteration?: (info: own.IterationInfo) => void
  onToolCall?: (toolCall: PTKToolCall) => void
  onError?: (error: Error) => void
  onDuplicateDetected?: (toolCall: PTKToolCall) => void

  // LLM config
  model?: string
  temperature?: number

  // Safety options
  detectDuplicates?: boolean // Default: true - Detect same tool call multiple times
  duplicateWindow?: number // Default: 3 - Check last N tool calls
}

interface PTKExecuteResult {
  // Status
  success: boolean

  // Output
  content: string // Final answer

  // Execution info
  iterations: number
  messages: own.PTKMessage[]
  toolCalls: PTKToolCall[]
  totalToolCalls: number

  // Error (if failed)
  error?: string

  // Metadata
  totalTokens?: number
  totalCost?: number
  duration: number // milliseconds
}

interface PTKTool {
  name: string
  description: string
  parameters: {
    type: 'object'
    properties: Record<string, own.PTKParameter>
    required?: string[]
  }
  handler: (args: any) => Promise<any>
}

interface PTKResponse {
  type: 'text' | 'tool_call'
  content?: string // If type='text'
  toolCall?: PTKToolCall // If type='tool_call'
  raw: string // Original response
}

interface PTKToolCall {
  tool: string // Tool name
  args: Record<string, any>
  reasoning?: string
}

interface PTKManagerConfig {
  defaultMaxIterations: number // Default: 5
  defaultTimeout: number // Default: 30000ms
  enableLogging: boolean // Default: true
  retryFailedTools: boolean // Default: true
  maxToolRetries: number // Default: 2
}

interface IPTKManager {
  orchestrateToolCalling(prompt: string, options?: PTKExecuteOptions): Promise<PTKExecuteResult>
  formatPrompt(prompt: string, tools: PTKTool[], history?: own.PTKMessage[]): string
  parseResponse(response: string): PTKResponse
}

interface IPTKFormatter {
  formatSystemPrompt(tools: PTKTool[]): string
  formatToolDefinitions(tools: PTKTool[]): string
  formatConversation(history: own.PTKMessage[]): string
  formatToolResult(result: own.PTKToolResult): string
}

interface IPTKParser {
  parse(response: string): PTKResponse
  extract(response: string): PTKToolCall | null
  validate(toolCall: PTKToolCall): own.PTKValidation
}

interface IPTKExecutor {
  execute(prompt: string, options?: PTKExecuteOptions): Promise<PTKExecuteResult>
  executeIteration(messages: own.PTKMessage[], options: any): Promise<own.PTKIterationResult>
  executeTool(toolCall: PTKToolCall, tools: Map<string, PTKTool>): Promise<own.PTKToolResult>
}
/* oxlint-enable typescript/no-explicit-any */

test('documented inputs are accepted', () => {
  expectTypeOf<PTKTool>().toExtend<own.PTKTool>()
  expectTypeOf<PTKToolCall>().toExtend<own.PTKToolCall>()
  expectTypeOf<PTKExecuteOptions>().toExtend<own.PTKExecuteOptions>()
  expectTypeOf<PTKManagerConfig>().toExtend<own.PTKManagerConfig>()
  expectTypeOf<string[]>().toExtend<NonNullable<own.PTKExecuteOptions['tools']>>()
})

test('documented outputs can be read', () => {
  expectTypeOf<own.PTKExecuteResult>().toExtend<PTKExecuteResult>()
  expectTypeOf<own.PTKResponse>().toExtend<PTKResponse>()
  expectTypeOf<own.PTKToolCall>().toExtend<PTKToolCall>()
})

test('the classes are as documented', () => {
  expectTypeOf<own.PTKManager>().toExtend<IPTKManager>()
  expectTypeOf<own.PTKFormatter>().toExtend<IPTKFormatter>()
  expectTypeOf<own.PTKParser>().toExtend<IPTKParser>()
  expectTypeOf<own.PTKExecutor>().toExtend<IPTKExecutor>()
})

interface ParsedToolRequest {
  requestId: string
  toolName: string
  rawBlock: string
  args: Record<string, string>
}

interface ToolExecutionResult {
  requestId: string
  toolName: string
  status: 'success' | 'error'
  result: string
  durationMs: number
}

interface ToolCallCycleResult {
  parsedRequests: ParsedToolRequest[]
  executionResults: ToolExecutionResult[]
  hasToolRequests: boolean
}

interface ToolDefinitionInput {
  toolId: string
  toolName: string
  methods: own.MethodMetadata[]
}

interface ToolCallingProtocol {
  readonly id: string
  generateToolDefinitions(input: ToolDefinitionInput[]): string
  parseToolRequests(finalText: string): ParsedToolRequest[]
  formatToolResults(results: ToolExecutionResult[]): string
}

test('the types of a cycle are compatible in both directions', () => {
  expectTypeOf<ToolCallingProtocol>().toExtend<own.ToolCallingProtocol>()
  expectTypeOf<own.ToolCallingProtocol>().toExtend<ToolCallingProtocol>()
  expectTypeOf<own.ToolCallCycleResult>().toExtend<ToolCallCycleResult>()
  expectTypeOf<ToolCallCycleResult>().toExtend<own.ToolCallCycleResult>()
  class DirectoryTree implements own.ToolRegistry {
    readonly id = 'directory-tree'
    readonly description = 'Lists files'
    listFiles({ path }: Record<string, string>): string {
      return path ?? ''
    }
  }
  expectTypeOf<DirectoryTree>().toExtend<own.ToolRegistry>()
})

test('an interface has exactly the documented methods', () => {
  expectTypeOf<keyof own.IPTKManager>().toEqualTypeOf<keyof IPTKManager>()
  expectTypeOf<keyof own.IPTKFormatter>().toEqualTypeOf<keyof IPTKFormatter>()
  expectTypeOf<keyof own.IPTKParser>().toEqualTypeOf<keyof IPTKParser>()
  expectTypeOf<keyof own.IPTKExecutor>().toEqualTypeOf<keyof IPTKExecutor>()
})

test('options and configurations are mutable, and fields may be undefined', () => {
  const options: own.PTKExecuteOptions = { timeout: undefined, model: undefined }
  options.maxIterations = 3
  options.tools = ['a']
  const config: own.ToolCallConfig = { enabled: true, toolToggles: {} }
  config.enabled = false
  config.toolToggles!['a'] = true
  const step: own.Step = { stepId: '1', actionType: 'PTK', config: { ptk: { prompt: '' } } }
  step.config.ptk.maxIterations = options.maxIterations
  expectTypeOf(options).toExtend<own.PTKExecuteOptions>()
})

test('a parsed reply can be read without checking its type', () => {
  expectTypeOf<own.ParsedResponse['tool']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<own.ParsedResponse['content']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<own.PTKErrorCode.PARSE_ERROR>().toExtend<own.PTKErrorCode>()
  expectTypeOf<keyof typeof own.PTKErrorCode>().toEqualTypeOf<own.PTKErrorCode>()
})

test('a handler may declare its arguments, and a context manager may have other methods', () => {
  const handler = async ({ path }: { path: string }): Promise<string> => path
  expectTypeOf(handler).toExtend<own.PTKTool['handler']>()
  type Context = ConstructorParameters<typeof own.PTKManager>[2]
  expectTypeOf<{ saveContext(text: string): void }>().toExtend<Context>()
  expectTypeOf<own.IContextManager['addMessage']>().toBeFunction()
  type Tools = ReturnType<own.ToolManager['getTools']>
  expectTypeOf<Tools>().toExtend<own.PTKExecuteOptions['tools']>()
  type Managed = own.LLMManagerOptions['toolManager']
  expectTypeOf<Pick<own.ToolManager, 'callOptions'>>().toExtend<Managed>()
})
