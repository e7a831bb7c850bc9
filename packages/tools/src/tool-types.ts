import type { askUserQuestionTool } from './tools/ask-user-question.ts'
import type { bashTool } from './tools/bash.ts'
import type { editTool } from './tools/edit.ts'
import type { globTool } from './tools/glob.ts'
import type { grepTool } from './tools/grep.ts'
import type { lspTool } from './tools/lsp.ts'
import type { readTool } from './tools/read.ts'
import type { todoWriteTool } from './tools/todo-write.ts'
import type { webFetchTool } from './tools/web-fetch.ts'
import type { webSearchTool } from './tools/web-search.ts'
import type { writeTool } from './tools/write.ts'

export type {
  Question,
  QuestionOption as Option,
  Todo,
  ToolFailure as ToolError,
} from '@toolglot/agent'
export type { LSPOperation, LSPResult } from './lsp/result.ts'
export type { GrepMatch as Match } from './search/grep-result.ts'
export type { SearchResult } from './web/search-provider.ts'

/** The Read tool, with its arguments and its result. */
export type ReadTool = ReturnType<typeof readTool>
/** The Write tool, with its arguments and its result. */
export type WriteTool = ReturnType<typeof writeTool>
/** The Edit tool, with its arguments and its result. */
export type EditTool = ReturnType<typeof editTool>
/** The Glob tool, with its arguments and its result. */
export type GlobTool = ReturnType<typeof globTool>
/** The Grep tool, with its arguments and its result. */
export type GrepTool = ReturnType<typeof grepTool>
/** The Bash tool, with its arguments and its result. */
export type BashTool = ReturnType<typeof bashTool>
/** The AskUserQuestion tool, with its arguments and its result. */
export type AskUserQuestionTool = ReturnType<typeof askUserQuestionTool>
/** The TodoWrite tool, with its arguments and its result. */
export type TodoWriteTool = ReturnType<typeof todoWriteTool>
/** The LSP tool, with its arguments and its result. */
export type LSPTool = ReturnType<typeof lspTool>
/** The WebFetch tool, with its arguments and its result. */
export type WebFetchTool = ReturnType<typeof webFetchTool>
/** The WebSearch tool, with its arguments and its result. */
export type WebSearchTool = ReturnType<typeof webSearchTool>
