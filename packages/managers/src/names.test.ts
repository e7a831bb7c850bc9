import { existsSync, readFileSync } from 'node:fs'
import type { Tool } from '@toolglot/agent'
import type {
  AskUserQuestionTool,
  BashTool,
  EditTool,
  GlobTool,
  GrepTool,
  LSPOperation,
  LSPResult,
  LSPTool,
  Match,
  Option,
  Question,
  ReadTool,
  SearchResult,
  Todo,
  TodoWriteTool,
  ToolError,
  WebFetchTool,
  WebSearchTool,
  WriteTool,
} from '@toolglot/tools/types'
import { describe, expect, test } from 'vitest'
import type * as managers from './index.ts'

const MANAGERS = '@toolglot/managers'
const CORE = '@toolglot/core'
const AGENT = '@toolglot/agent'

/** Imports of each entry point. */
const entries: Readonly<Record<string, () => Promise<object>>> = {
  [MANAGERS]: () => import('./index.ts'),
  [CORE]: () => import('@toolglot/core'),
  [AGENT]: () => import('@toolglot/agent'),
  '@toolglot/agent/context': () => import('@toolglot/agent/context'),
  '@toolglot/permissions': () => import('@toolglot/permissions'),
  '@toolglot/permissions/node': () => import('@toolglot/permissions/node'),
  '@toolglot/tools': () => import('@toolglot/tools'),
  '@toolglot/tools/vscode': () => import('@toolglot/tools/vscode'),
}

/** Classes, functions and constants, by the entry that exports them. */
const values: Readonly<Record<string, readonly string[]>> = {
  [MANAGERS]: [
    // Replies
    ...['TOOL_CALL_PATTERN', 'ResponseParser', 'parseResponse', 'validateToolCall'],
    // Managers
    ...['PTKManager', 'PTKFormatter', 'PTKParser', 'PTKExecutor', 'PTKExecutionError'],
    ...['PTKErrorCode', 'ToolManager', 'LLMManager', 'ContextManager', 'ExecutionManager'],
    'ActionType',
    // Methods of registered tools
    ...['VcpToolCallingProtocol', 'parseSingleToolRequest', 'createToolDiscoveryService'],
    ...['resolveToolEnabled', 'parseToolRequests', 'executeToolRequests', 'executeSingleRequest'],
    ...['processToolCallCycle', 'formatResultsForContext', 'useToolCalling', 'resolveProtocol'],
    ...['toolRegistryManager', 'SUPPORTED_PROTOCOLS'],
  ],
  [CORE]: ['autoParseToolCalls', 'stripToolCalls'],
}

/** Interfaces and types. Compiling this is the test. */
export interface Types {
  readonly ParsedResponse: managers.ParsedResponse
  readonly ToolCallValidation: managers.ToolCallValidation
  readonly IPTKManager: managers.IPTKManager
  readonly IPTKFormatter: managers.IPTKFormatter
  readonly IPTKParser: managers.IPTKParser
  readonly IPTKExecutor: managers.IPTKExecutor
  readonly ILLMManager: managers.ILLMManager
  readonly IToolManager: managers.IToolManager
  readonly IContextManager: managers.IContextManager
  readonly PTKManagerConfig: managers.PTKManagerConfig
  readonly PTKExecuteOptions: managers.PTKExecuteOptions
  readonly PTKExecuteResult: managers.PTKExecuteResult
  readonly PTKIterationResult: managers.PTKIterationResult
  readonly PTKTool: managers.PTKTool
  readonly PTKToolCall: managers.PTKToolCall
  readonly PTKToolResult: managers.PTKToolResult
  readonly PTKParameter: managers.PTKParameter
  readonly PTKResponse: managers.PTKResponse
  readonly PTKMessage: managers.PTKMessage
  readonly PTKValidation: managers.PTKValidation
  readonly PTKErrorCode: managers.PTKErrorCode
  readonly IterationInfo: managers.IterationInfo
  readonly ActionType: managers.ActionType
  readonly Step: managers.Step
  readonly StepResult: managers.StepResult
  readonly ExecutionContext: managers.ExecutionContext
  readonly ToolCallingProtocol: managers.ToolCallingProtocol
  readonly ToolDefinitionInput: managers.ToolDefinitionInput
  readonly ParsedToolRequest: managers.ParsedToolRequest
  readonly ToolExecutionResult: managers.ToolExecutionResult
  readonly ToolCallCycleResult: managers.ToolCallCycleResult
  readonly ToolCallConfig: managers.ToolCallConfig
  readonly ToolRegistry: managers.ToolRegistry
  readonly MethodMetadata: managers.MethodMetadata
  readonly MethodParameter: managers.MethodParameter
  readonly ReadTool: ReadTool
  readonly WriteTool: WriteTool
  readonly EditTool: EditTool
  readonly GlobTool: GlobTool
  readonly GrepTool: GrepTool
  readonly BashTool: BashTool
  readonly AskUserQuestionTool: AskUserQuestionTool
  readonly TodoWriteTool: TodoWriteTool
  readonly LSPTool: LSPTool
  readonly WebFetchTool: WebFetchTool
  readonly WebSearchTool: WebSearchTool
  readonly Match: Match
  readonly Question: Question
  readonly Option: Option
  readonly Todo: Todo
  readonly LSPOperation: LSPOperation
  readonly LSPResult: LSPResult
  readonly SearchResult: SearchResult
  readonly ToolError: ToolError
  readonly Tool: Tool
}

/** A name that an entry point exports, or a file in this repository with some content. */
type Counterpart =
  | readonly [entry: keyof typeof entries, name: string]
  | { readonly file: string; readonly contains: string }

const view = (file: string, contains: string): Counterpart => ({
  file: `packages/web/src/${file}`,
  contains,
})

/** Names that are different here, with their counterparts. */
const counterparts: Readonly<Record<string, readonly Counterpart[]>> = {
  get_available_tools_json: [[CORE, 'printPrompt']],
  apply_model_chat_template: [
    [CORE, 'printPrompt'],
    [CORE, 'protocolFor'],
    ['@toolglot/agent/context', 'renderChat'],
  ],
  '/api/tools/execute': [{ file: 'packages/server/openapi.json', contains: '/api/tools/execute' }],
  main_web: [{ file: 'packages/server/src/index.ts', contains: 'startServer' }],
  toolParser: [
    [CORE, 'autoParseToolCalls'],
    [CORE, 'stripToolCalls'],
  ],
  useChat: [{ file: 'packages/react/src/index.ts', contains: 'useChat' }],
  continueWithToolResults: [[AGENT, 'run']],
  toolIterationCount: [{ file: 'packages/managers/src/ptk/types.ts', contains: 'iterations' }],
  MAX_TOOL_ITERATIONS: [[AGENT, 'defaultLimits']],
  toast: [view('compose/run-status.tsx', 'toast')],
  MessageBubble: [view('chat/timeline/row-view.tsx', 'ToolBubble')],
  ToolCallingTester: [view('app/views.ts', '/tools')],
  DiscoveryPane: [view('tools/tools-view.tsx', 'ToolsView')],
  ExecutorPane: [view('sandbox/sandbox-view.tsx', 'SandboxView')],
  ParserPane: [view('parser/parser-view.tsx', 'ParserView')],
  toolDiscovery: [[MANAGERS, 'useToolCalling']],
  defaultProtocol: [[MANAGERS, 'VcpToolCallingProtocol']],
  withTimeout: [[AGENT, 'defaultLimits']],
  ALLOWED_DIRS: [['@toolglot/permissions/node', 'nodeFileSystem']],
  MAX_FILE_SIZE: [{ file: 'packages/tools/src/file/load.ts', contains: '10 * 1024 * 1024' }],
  askUserConfirmation: [[MANAGERS, 'ToolManager']],
  'IPTKManager.constructor': [[MANAGERS, 'PTKManager']],
  'settings.json': [{ file: 'packages/workspace/src/index.ts', contains: 'loadSettings' }],
  permissions: [['@toolglot/permissions', 'readRules']],
  opencode: [['@toolglot/tools', 'createTools']],
  vscode: [['@toolglot/tools/vscode', 'vscodeHost']],
}

describe('names', () => {
  test.each(Object.entries(values))('%s exports its values', async (entry, names) => {
    const exported = await entries[entry]!()
    expect(names.filter((name) => !(name in exported))).toEqual([])
  })

  test.each(Object.entries(counterparts))('%s has a counterpart', async (_name, found) => {
    for (const each of found) {
      if ('file' in each) {
        const file = new URL(`../../../${each.file}`, import.meta.url)
        expect(existsSync(file) && readFileSync(file, 'utf8')).toContain(each.contains)
      } else expect(await entries[each[0]]!()).toHaveProperty(each[1])
    }
  })

  test('the managers have the documented methods', async () => {
    const { PTKManager, PTKFormatter, PTKParser, PTKExecutor, ...others } =
      await import('./index.ts')
    const { ToolManager, LLMManager, ExecutionManager } = others
    const methods: readonly [{ readonly prototype: object }, readonly string[]][] = [
      [PTKManager, ['orchestrateToolCalling', 'execute', 'formatPrompt', 'parseResponse']],
      [PTKFormatter, ['formatSystemPrompt', 'formatToolDefinitions', 'formatConversation']],
      [PTKFormatter, ['formatToolResult']],
      [PTKParser, ['parse', 'extract', 'validate']],
      [PTKExecutor, ['execute', 'executeIteration', 'executeTool']],
      [ToolManager, ['registerTool', 'use', 'execute']],
      [LLMManager, ['call']],
      [ExecutionManager, ['executeStep', 'interpolatePrompt']],
    ]
    for (const [{ prototype }, names] of methods)
      expect(names.filter((name) => !(name in prototype))).toEqual([])
  })
})
