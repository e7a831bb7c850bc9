export type { CallResult, Message } from './context/message.ts'
export type { ChatMessage, MessageCall } from './model/chat-message.ts'
export { ModelError, type ModelProblem } from './model/model-error.ts'
export type { Model, ModelChunk, ModelRequest } from './model/model.ts'
export type { ModelPrice, Usage } from './model/usage.ts'
export { collect } from './run/run-result.ts'
export { cycle, type CycleOptions, type CycleResult } from './run/cycle.ts'
export { drive, type DriveOptions, type DriveOutcome } from './run/drive.ts'
export type { RunEventBody, EndReason, RunCall, RunEvent, RunFacts } from './run/event.ts'
export { defaultLimits, type Limits } from './limits.ts'
export type { Approve, ApprovalAnswer, CallOptions, RunPermissions } from './run/options.ts'
export type { RunOptions } from './run/options.ts'
export type { CallRecord, RunResult } from './run/run-result.ts'
export type { ToolOutcome } from './run/calls/tool-outcome.ts'
export { replay } from './run/resume/replay.ts'
export { run } from './run/run.ts'
export type { RequestOptions } from './run/turn/request-options.ts'
export { turn, type TurnEvent, type TurnOptions, type TurnResult } from './run/turn.ts'
export { aliasTools } from './tool/alias-tools.ts'
export type { AnyTool } from './tool/any-tool.ts'
export { execute, type ExecuteOptions, type ExecuteResult, type ToolCall } from './tool/execute.ts'
export type { ApprovalQuestion } from './tool/require-permission.ts'
export {
  type Answers,
  type Ask,
  type QuestionOption,
  type Question,
  Unanswered,
} from './tool/question.ts'
export { type ErrorType, ToolError, type ToolFailure } from './tool/tool-error.ts'
export { type ToolProgress, type Todo, tool, type Tool, type ToolContext } from './tool/tool.ts'
