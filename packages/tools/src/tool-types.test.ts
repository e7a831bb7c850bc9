import { ToolError as ThrownToolError, type ToolFailure } from '@toolglot/agent'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createTools } from './create-tools.ts'
import type { Host } from './host/host.ts'
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
} from './tool-types.ts'

/** Every tool, by its name. */
interface Tools {
  readonly Read: ReadTool
  readonly Write: WriteTool
  readonly Edit: EditTool
  readonly Glob: GlobTool
  readonly Grep: GrepTool
  readonly Bash: BashTool
  readonly AskUserQuestion: AskUserQuestionTool
  readonly TodoWrite: TodoWriteTool
  readonly LSP: LSPTool
  readonly WebFetch: WebFetchTool
  readonly WebSearch: WebSearchTool
}

/** The documented parameters of each tool. */
interface Parameters {
  readonly Read: { file_path: string; offset?: number; limit?: number }
  readonly Write: { file_path: string; content: string }
  readonly Edit: {
    file_path: string
    old_string: string
    new_string: string
    replace_all?: boolean
  }
  readonly Glob: { pattern: string; path?: string }
  readonly Grep: {
    pattern: string
    path?: string
    glob?: string
    output_mode?: 'content' | 'files_with_matches' | 'count'
    '-i'?: boolean
    '-n'?: boolean
    '-A'?: number
    '-B'?: number
    '-C'?: number
  }
  readonly Bash: { command: string; timeout?: number; cwd?: string; run_in_background?: boolean }
  readonly AskUserQuestion: { questions: Question[] }
  readonly TodoWrite: { todos: Todo[] }
  readonly LSP: { operation: LSPOperation; filePath: string; line: number; character: number }
  readonly WebFetch: { url: string; prompt: string }
  readonly WebSearch: { query: string; allowed_domains?: string[]; blocked_domains?: string[] }
}

/** The documented result of each tool. */
interface Results {
  readonly Write: { success: boolean; bytes_written: number }
  readonly Edit: { success: boolean; replacements: number }
  readonly Glob: { files: readonly string[]; count: number }
  readonly Grep: { total_matches: number }
  readonly Bash: { stdout: string; stderr: string; exit_code: number }
  readonly TodoWrite: { success: boolean }
  readonly LSP: LSPResult
  readonly WebFetch: { content: string }
  readonly WebSearch: { results: readonly SearchResult[] }
}

type ResultOf<Name extends keyof Tools> = Awaited<ReturnType<Tools[Name]['execute']>>
type Takes = { [Name in keyof Tools]: globalThis.Parameters<Tools[Name]['execute']>[0] }
type Returns = { [Name in keyof Results]: ResultOf<Name> }

describe('the types of the tools', () => {
  test('have the documented parameters', () => {
    expectTypeOf<Parameters>().toExtend<Takes>()
  })

  test('have the documented fields in results', () => {
    expectTypeOf<Returns>().toExtend<Results>()
    expectTypeOf<Extract<ResultOf<'Read'>, { total_lines: number }>>().toExtend<{
      content: string
      total_lines: number
    }>()
    type Content = Extract<ResultOf<'Grep'>, { output_mode: 'content' }>
    expectTypeOf<Content>().toExtend<{ matches: readonly Match[]; total_matches: number }>()
    // The answer to a question with `multiSelect` is a list.
    expectTypeOf<ResultOf<'AskUserQuestion'>>().toExtend<{
      answers: Readonly<Record<string, string | readonly string[]>>
    }>()
  })

  test('have documented parts of arguments and results', () => {
    expectTypeOf<Match>().toExtend<{ file: string; line_number: number; content: string }>()
    expectTypeOf<SearchResult>().toExtend<{ title: string; url: string; snippet: string }>()
    expectTypeOf<{
      question: string
      header: string
      options: Option[]
      multiSelect?: boolean
    }>().toExtend<Question>()
    expectTypeOf<{ label: string; description: string }>().toExtend<Option>()
    expectTypeOf<{
      content: string
      status: 'pending' | 'in_progress' | 'completed'
      activeForm: string
    }>().toExtend<Todo>()
    expectTypeOf<
      | 'goToDefinition'
      | 'findReferences'
      | 'hover'
      | 'documentSymbol'
      | 'workspaceSymbol'
      | 'goToImplementation'
      | 'prepareCallHierarchy'
      | 'incomingCalls'
      | 'outgoingCalls'
    >().toExtend<LSPOperation>()
  })

  test('have errors with the failed tool and the reason', () => {
    const sample: ToolError = {
      tool: 'Read',
      error_type: 'permission_denied',
      message: 'Reading .env files is not allowed',
      details: { file: '.env', matched_rule: 'Read(.env)' },
    }
    const { error_type, message, details } = sample
    const thrown = new ThrownToolError(error_type, message, details)
    expect(thrown).toMatchObject({ errorType: error_type, details })
    expectTypeOf<ToolFailure['error_type']>().toEqualTypeOf<
      'permission_denied' | 'not_found' | 'timeout' | 'invalid_input' | 'execution_failed'
    >()
  })
})

test('the tools and their levels', () => {
  const tools = createTools({ storage: { folder: '' } } as Host)
  const levels = [1, 2, 3].map((level) =>
    [...tools.values()].filter((tool) => tool.level === level).map(({ name }) => name),
  )
  expect(levels[0]).toEqual(
    expect.arrayContaining(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'AskUserQuestion']),
  )
  expect(levels[1]).toEqual(['TodoWrite', 'LSP'])
  expect(levels[2]).toEqual(['WebFetch', 'WebSearch'])
})
