import type { Event as ParserEvent } from '@toolglot/core'
import type { Usage } from '../model/usage.ts'
import type { Approval, ApprovalRequest } from '@toolglot/permissions'
import type { Answers, Question } from '../tool/question.ts'
import type { ToolProgress, Todo } from '../tool/tool.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'

/** Something that happened in a run. `seq` counts from 0 in each process that executes the run. */
export type RunEvent = RunEventBody & {
  readonly run: string
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly time: number
}

/** What happened, without the fields that all events have. */
export type RunEventBody =
  | {
      readonly type: 'run-start'
      readonly model: string
      /** The id of the protocol; undefined for native function calling. */
      readonly protocol: string | undefined
      /** Whether the journal already had records of this run. */
      readonly resumed: boolean
    }
  /** A message from a person. */
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
      /** The answer, or the last text of the model. */
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
