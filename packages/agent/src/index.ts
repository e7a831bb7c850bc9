export type { Approval, ApprovalRequest } from './permission/approval.ts'
export { judgeFile } from './path/judge.ts'
export { guardedPaths } from './path/protected.ts'
export type { Access, ArgumentType } from './permission/access.ts'
export type { OtherTools, PermissionCall, Trust } from './permission/call.ts'
export type { Checks } from './permission/checks.ts'
export { decide, type Permissions } from './permission/decide.ts'
export type { Decision, Part } from './permission/decision.ts'
export { lintRules, type Note } from './permission/lint.ts'
export { type Mode, MODES } from './permission/mode.ts'
export type { FetchOperation, FileOperation, Operation } from './permission/operation.ts'
export { readRules } from './permission/read-rules.ts'
export type { Rule, RuleProblem, Scope, Source } from './permission/rule.ts'
export { suggestRules } from './permission/suggest.ts'
export type { Verdict } from './permission/verdict.ts'
export type { Thing, World } from './permission/world.ts'
export { mergeSettings, type Settings } from './settings/merge-settings.ts'
export { isEmpty, isFolders, type Offer } from './settings/offer.ts'
export { type Saying, saidOf, type SettingsKey } from './settings/keys/key.ts'
export {
  languageServers as languageServersKey,
  type LanguageServerSetting,
} from './settings/keys/language-servers.ts'
export { model as modelKey } from './settings/keys/model.ts'
export { paidProviders as paidProvidersKey } from './settings/keys/paid-providers.ts'
export { testCommand as testCommandKey } from './settings/keys/test-command.ts'
export { permissionsOf } from './settings/permissions-of.ts'
export { readSettings, type ReadOptions } from './settings/read-settings.ts'
export type { PathText, RuleText, SettingsFile, SettingsProblem } from './settings/settings-file.ts'
export type { Command, Script } from './shell/script.ts'
export { type Answers, type Ask, type Option, type Question, Unanswered } from './tool/question.ts'
export { type Progress, type Todo, tool, type Tool, type ToolContext } from './tool/tool.ts'
export { type ErrorType, ToolError, type ToolFailure } from './tool/tool-error.ts'
export { closedBy, isLocalName, sameForm } from './web/address.ts'
export { type HopOptions, judgeHop, MOST_HOPS } from './web/hop.ts'
export { judgeFetch } from './web/judge.ts'
export { judgePage, type JudgePage, type LookedUp } from './web/judge-page.ts'
export { type Address, readUrl } from './web/url.ts'
export { execute, type ExecuteOptions, type Outcome, type ToolCall } from './tool/execute.ts'
export type { Asked } from './tool/permitted.ts'
export { collect, type RunResult } from './run/collect.ts'
export type { Happening, Reason, RunEvent } from './run/event.ts'
export { defaultLimits, type Limits } from './run/limits.ts'
export type { Approve, RuleTexts, RunOptions, Said } from './run/options.ts'
export type { ToolOutcome } from './run/outcome.ts'
export { replay } from './run/replay.ts'
export { run } from './run/run.ts'
export { type Speech, speechOf } from './run/speech.ts'
export type { CallResult, MadeCall, Message } from './context/message.ts'
export type { ChatMessage, NativeCall } from './model/chat-message.ts'
export type { Model, ModelChunk, ModelRequest } from './model/model.ts'
export { ModelError, type ModelProblem } from './model/model-error.ts'
export type { Price, Usage } from './model/usage.ts'
export { type AnyTool, toolsByName } from './tool/any-tool.ts'
export { checkArguments } from './tool/parameters.ts'
export { jsonSchemaOf } from './tool/schema-of.ts'
export { canonicalTools } from './permission/canonical.ts'
export { type AiSdkLanguageModel, aiSdkModel, type AiSdkOptions } from './model/ai-sdk.ts'
export { cassette, type CassetteOptions } from './model/cassette.ts'
export { memoryCassette } from './model/cassette/memory-store.ts'
export type { AskedFor, CassetteStore, Recording } from './model/cassette/tape.ts'
export { openAiCompatible, type OpenAiOptions } from './model/open-ai-compatible.ts'
export { type ScriptedReply, scriptedModel, type ScriptOptions } from './model/script.ts'
export { connectModel, type ConnectOptions } from './model/connect-model.ts'
export { type Choice, chooseModel } from './model/find/choose-model.ts'
export {
  type FindModelsOptions,
  findModels,
  type Found,
  type FoundKey,
  type FoundServer,
  type SavedModel,
} from './model/find/find-models.ts'
export type { FoundModel } from './model/find/found-model.ts'
export { parseReference, printReference, type Reference } from './model/find/reference.ts'
export { editDistance, nearest } from './nearest.ts'
export { type TimeLimit, timeLimit } from './time-limit.ts'
export { protocolOf } from './model/protocol-of.ts'
export {
  type Cap,
  type Journal,
  JournalError,
  type JournalProblem,
  type JournalRecord,
  type OpenOptions,
  type RecordedRun,
  type RecordKind,
  type RunLog,
  type RunsOptions,
} from './journal/journal.ts'
export { exportRun, importRuns } from './journal/lines.ts'
export { memoryJournal } from './journal/memory.ts'
export type { RunState, RunSummary } from './journal/summary.ts'
export {
  isServerName,
  type McpAddress,
  type McpProgram,
  type McpServer,
  mcpServers as mcpServersKey,
} from './settings/keys/mcp-servers.ts'
export { canonicalJson } from './permission/canonical-json.ts'
export { cacheResults, type CacheOptions } from './registry/cache-results.ts'
export { chooseTools } from './registry/choose-tools.ts'
export { createRegistry } from './registry/create-registry.ts'
export { debounce, type DebounceOptions } from './registry/debounce.ts'
export type { DiscoveredMethod, DiscoveredToolkit, MethodFilter } from './registry/discovered.ts'
export { executing } from './registry/executing.ts'
export type { Meaning } from './registry/meaning.ts'
export type { MethodParameter } from './registry/method-parameters.ts'
export type { AddOptions, Middleware, MiddlewareContext, Registry } from './registry/registry.ts'
export { retryTools, type RetryOptions } from './registry/retry-tools.ts'
export type { ToolCallConfig } from './registry/tool-call-config.ts'
export type { Method, Toolkit } from './registry/toolkit.ts'
export { type DescribedInstance, toolkitOf } from './registry/toolkit-of.ts'
export { compact, type Compacted, type CompactOptions } from './context/compact.ts'
export { type Count, type Counter, createCounter } from './context/counter.ts'
export type { Dialect } from './context/dialect.ts'
export { drawChat, type DrawOptions } from './context/draw-chat.ts'
export {
  type InstructionFile,
  type InstructionOptions,
  type Instructions,
  printInstructions,
} from './context/instructions.ts'
export { addMentions, type Mentioned, type MentionOptions } from './context/mentions.ts'
export { estimateTokens } from './context/tokens.ts'
export { echoes } from './result/echo.ts'
export { redact, redactAll } from './result/redact.ts'
export { restoreArguments } from './result/restore-arguments.ts'
export { serialise, type Serialised } from './result/serialise.ts'
export { describeThrown } from './result/thrown.ts'
export { duplicateKeyProblem } from './duplicate-key.ts'
export type { Alias, Configured } from './alias/alias.ts'
export { aliasTools } from './alias/alias-tools.ts'
