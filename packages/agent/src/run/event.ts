import type { Event as ParserEvent } from '@toolglot/core'
import type { Usage } from '../model/usage.ts'
import type { Approval, ApprovalRequest } from '@toolglot/permissions'
import type { Answers, Question } from '../tool/question.ts'
import type { ToolProgress, Todo } from '../tool/tool.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'

/** What happens in a run. `seq` counts from 0 in each process that drives it. */
export type RunEvent = RunEventBody & {
  readonly run: string
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly time: number
}

export type RunEventBody =
  | {
      readonly type: 'run-start'
      readonly model: string
      /** Undefined: function calling of the model's own. */
      readonly protocol: string | undefined
      /** Part of it was done before. */
      readonly resumed: boolean
    }
  /** What a person said. */
  | { readonly type: 'prompt'; readonly content: string }
  | { readonly type: 'turn-start'; readonly turn: number }
  | Exclude<ParserEvent, { type: 'end' }>
  | { readonly type: 'turn-end'; readonly turn: number; readonly usage: Usage }
  | {
      readonly type: 'approval-request'
      readonly request: ApprovalRequest
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'approval'; readonly approval: Approval }
  | {
      readonly type: 'tool-start'
      readonly call: string
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'tool-progress'; readonly call: string; readonly update: ToolProgress }
  | {
      readonly type: 'tool-end'
      readonly call: string
      readonly name: string
      readonly outcome: ToolOutcome
    }
  | { readonly type: 'question'; readonly call: string; readonly questions: readonly Question[] }
  | { readonly type: 'answer'; readonly call: string; readonly answers: Answers }
  | { readonly type: 'todo'; readonly todos: readonly Todo[] }
  | { readonly type: 'compacted'; readonly before: number; readonly after: number }
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | {
      readonly type: 'run-end'
      readonly reason: EndReason
      /** The answer, or what the model said last. */
      readonly text: string
      readonly usage: Usage
      /** Why there is no answer, for a person. */
      readonly error?: string
    }

/** Why a run ended. */
export type EndReason =
  | 'answer'
  | 'max_iterations'
  | 'max_tool_calls'
  | 'malformed'
  | 'loop'
  | 'timeout'
  | 'cancelled'
  | 'denied'
  | 'model_error'
  | 'context_overflow'
  | 'budget'
  | 'storage'
  | 'interrupted'
