export { createTools, type ToolsOptions } from './create-tools.ts'
export { serversIn } from './lsp/servers-in.ts'
export { nodeStorage } from './node/storage.ts'
export { scriptedAsk } from './host/ask.ts'
export type { Host } from './host/host.ts'
export type {
  Counts,
  CountOptions,
  FoundLine,
  LinesOptions,
  Names,
  NamesOptions,
  Progressed,
  Search,
  TextQuery,
} from './host/search.ts'
export { type LintProblem, type LintRule, lintTools } from './lint/lint-tools.ts'
export { findRipgrep, type FindOptions } from './node/find-ripgrep.ts'
export { nodeSearch } from './node/search.ts'
export type { Match } from './search/collect.ts'
export type { GrepResult, GrepTotals } from './search/grep-result.ts'
export { foreignFolders, programOnPath } from './process/on-path.ts'
export { readTodos } from './todo/todos.ts'
export {
  type AskUserQuestionArguments,
  type AskUserQuestionOptions,
  type AskUserQuestionResult,
  askUserQuestionTool,
} from './tools/ask-user-question.ts'
export { type GlobArguments, type GlobOptions, type GlobResult, globTool } from './tools/glob.ts'
export { type GrepArguments, type GrepOptions, grepTool } from './tools/grep.ts'
export { type TodoWriteArguments, type TodoWriteResult, todoWriteTool } from './tools/todo-write.ts'
export {
  type Change,
  type Checkpoints,
  createCheckpoints,
  type UndoReport,
} from './checkpoint/checkpoints.ts'
export type { Entry as CheckpointEntry } from './checkpoint/log.ts'
export type { Undone } from './checkpoint/undo.ts'
export type { Image, ReadResult } from './file/read-result.ts'
export { forgetShown } from './file/records.ts'
export type {
  Entry,
  FileFacts,
  Files,
  LockOptions,
  OpenFile,
  Reach,
  RemoveOptions,
  Replaced,
  ReplaceOptions,
} from './host/files.ts'
export type {
  CodeAction,
  CodeCall,
  CodeDiagnostic,
  CodeLocation,
  CodePlace,
  CodePosition,
  CodeSpan,
  CodeSymbol,
  Language,
  LanguageAnswers,
  LanguageTopic,
  Told,
} from './host/language.ts'
export type { ServerDefinition } from './lsp/definition.ts'
export {
  findProgram as findLanguageServer,
  type FindProgramOptions,
  type FoundProgram,
} from './lsp/find-program.ts'
export { servers as languageServers } from './lsp/servers.ts'
export type {
  FoundCall,
  FoundDiagnostic,
  FoundPlace,
  FoundSymbol,
  LSPOperation,
  LSPResult,
} from './lsp/result.ts'
export { type LanguageParts, nodeLanguage, type NodeLanguageOptions } from './node/language.ts'
export { nodeFiles } from './node/files.ts'
export { type EditArguments, type EditResult, editTool } from './tools/edit.ts'
export { type LSPArguments, lspTool } from './tools/lsp.ts'
export { type ReadArguments, readTool } from './tools/read.ts'
export { type WriteArguments, type WriteResult, writeTool } from './tools/write.ts'
export type {
  Ended,
  Processes,
  RunOptions,
  SandboxName,
  SandboxReport,
  StartOptions,
  Task,
  TaskOutput,
  TaskStatus,
  WaitOptions,
} from './host/processes.ts'
export { nodeHost, type NodeHostOptions } from './node/host.ts'
export { nodeProcesses, type ProcessOptions, type SandboxOptions } from './node/processes.ts'
export { type Detected, detectSandbox } from './sandbox/detect.ts'
export type { Network, Policy, Sandbox } from './sandbox/sandbox.ts'
export { type BashArguments, type BashResult, bashTool } from './tools/bash.ts'
export { type BashInputArguments, type BashInputResult, bashInputTool } from './tools/bash-input.ts'
export {
  type BashOutputArguments,
  type BashOutputResult,
  bashOutputTool,
} from './tools/bash-output.ts'
export { type KillShellArguments, type KillShellResult, killShellTool } from './tools/kill-shell.ts'
export type { FoundHost, Web, WebHead, WebRequest, WebResponse } from './host/web.ts'
export type { LookUp } from './node/look-up.ts'
export type { MarkdownLimits } from './node/markdown.ts'
export { nodeWeb, type NodeWebOptions } from './node/web.ts'
export {
  type WebFetchArguments,
  type WebFetchOptions,
  type WebFetchResult,
  webFetchTool,
} from './tools/web-fetch.ts'
export {
  type WebSearchArguments,
  type WebSearchOptions,
  type WebSearchResult,
  webSearchTool,
} from './tools/web-search.ts'
export type { Extractor } from './web/extract.ts'
export type { Format } from './web/page.ts'
export { brave } from './web/providers/brave.ts'
export { exa } from './web/providers/exa.ts'
export { searchProviderFrom } from './web/providers/from-environment.ts'
export type { KeyOptions } from './web/providers/key-options.ts'
export { searxng, type SearxngOptions } from './web/providers/searxng.ts'
export { tavily } from './web/providers/tavily.ts'
export type {
  SearchOptions,
  SearchProvider,
  SearchQuery,
  SearchResult,
} from './web/search-provider.ts'
export { previewChange } from './edit/preview.ts'
