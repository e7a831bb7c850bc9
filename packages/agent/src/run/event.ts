import type { Call, Event as ParserEvent } from '@toolglot/core'
import type { Approval, ApprovalRequest, PermissionMode } from '@toolglot/permissions'
import type { JournalProblem } from '../journal/journal.ts'
import type { InTurn } from '../journal/keys.ts'
import type { ForkSource } from '../journal/run-summary.ts'
import type { Limits } from '../limits.ts'
import type { Usage } from '../model/usage.ts'
import type { NetworkAnswer } from '../tool/network-answer.ts'
import type { Answers, Question } from '../tool/question.ts'
import type { Todo, ToolProgress } from '../tool/tool.ts'
import type { WaitRequest } from './approval/ask-person.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'
import type { RunSetup } from './resume/history.ts'
import type { PromptChange } from './turn/sent-prompt.ts'

/**
 * Something that happened in a run. Recorded events are numbered once over the life of the run, whichever process executes
 * it: `replay` and `follow` yield the same events with the same numbers.
 */
export type RunEvent = RunEventBody & {
  readonly run: string
  /** The number of the event, from 0. A transient event has the number of the recorded one before it. */
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly time: number
  /**
   * It is not recorded: it is a preview of a record, or progress, such as a reply that is still being written. `turn-end` and
   * `tool-end` confirm the events before them.
   */
  readonly transient?: true
}

/** An event without the fields that all events have. */
export type RunEventBody =
  | ({
      readonly type: 'run-start'
      /** The id of the protocol; undefined for native function calling. */
      readonly protocol: string | undefined
      /** Whether the journal already had records of this run. */
      readonly resumed: boolean
    } & RunFacts)
  /** A message from a person. */
  | {
      readonly type: 'prompt'
      /** Its text. */
      readonly content: string
      /** How many images it has, if it has any: they are in the journal. */
      readonly images?: number
    }
  | { readonly type: 'turn-start'; readonly turn: number }
  /** The prompt of this turn does not begin with the prompt and the reply of the turn before. */
  | { readonly type: 'prompt-changed'; readonly turn: number; readonly cause: PromptChange }
  | Exclude<ParserEvent, { type: 'end' } | { type: 'call-end' }>
  | { readonly type: 'call-end'; readonly index: number; readonly call: RunCall }
  | {
      readonly type: 'turn-end'
      readonly turn: number
      readonly usage: Usage
      /** From the request to the first piece of the reply, in milliseconds. */
      readonly firstToken?: number
      /** How long the reply took, in milliseconds. */
      readonly duration?: number
    }
  | {
      readonly type: 'approval-request'
      /** The key for `Journal.answer`. */
      readonly key: string
      readonly request: ApprovalRequest
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
    }
  | {
      readonly type: 'approval'
      readonly key: string
      readonly approval: Approval
      /** For how long it was given, if not for this call only. */
      readonly always?: 'run' | 'user' | 'folder'
      /** The rules that it added. */
      readonly rules?: readonly string[]
      /** The rules that allowed the call, if no person did: added by the answer to another request. */
      readonly allowedBy?: readonly string[]
      /** The hosts that the call may reach, if a person allowed more than its sandbox does. */
      readonly network?: NetworkAnswer
    }
  /** A tool begins, after the approval of its call. */
  | {
      readonly type: 'tool-start'
      readonly call: string
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'tool-progress'; readonly call: string; readonly update: ToolProgress }
  /** A call repeats an earlier one: it was not run, and fails or gets the earlier result. */
  | {
      readonly type: 'duplicate'
      readonly call: string
      readonly name: string
      /** The id of the call that it repeats. */
      readonly of: string
      readonly on: 'reuse' | 'warn'
    }
  /** How a call ended. Every `call-end` has one, also if the call was not run. */
  | {
      readonly type: 'tool-end'
      readonly call: string
      readonly name: string
      readonly outcome: ToolOutcome
    }
  /** A tool that was stopped, and whose outcome was unknown, ended after all. */
  | {
      readonly type: 'tool-late'
      readonly call: string
      readonly name: string
      readonly outcome: ToolOutcome
    }
  | {
      readonly type: 'question'
      /** The key for `Journal.answer`. */
      readonly key: string
      readonly call: string
      readonly questions: readonly Question[]
    }
  | {
      readonly type: 'answer'
      readonly key: string
      readonly call: string
      readonly answers: Answers
    }
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
      /** The text of a reply that was not finished, if the run ended while the model wrote it. */
      readonly unfinished?: string
      /** If the run was suspended: the keys of what it waits for. */
      readonly pending?: readonly string[]
      /** The problem of the journal, or `changed` if the setup of the run has changed. */
      readonly problem?: JournalProblem
    }

/** A call of a turn. Its `id` is unique in the run. */
export interface RunCall extends Call {
  /** The id that the model gave the call, if it gave one. */
  readonly modelId?: string
}

/** The facts about a run at its start, for people. */
export interface RunFacts {
  readonly model: string
  /** How the model is named in settings and on the command line, such as `ollama/qwen3:8b`. */
  readonly modelReference?: string
  /** The source of that choice: the person, or the settings of a folder. */
  readonly modelNamedBy?: 'person' | 'folder'
  /** The size of the model's context window, in tokens. */
  readonly contextTokens?: number
  /** The working directory. */
  readonly folder?: string
  /** The machine that its tools work on, if they name one. */
  readonly host?: string
  /** The owner of the run. */
  readonly owner?: string
  /** The version of the program and its tools, if it was named. */
  readonly version?: string
  readonly limits?: Limits
  /** The permissions at the start. Current ones decide, so that a new deny rule counts at once. */
  readonly permissions?: RecordedPermissions
  readonly forkOf?: ForkSource
}

/** Permissions as text. */
export interface RecordedPermissions {
  readonly mode?: PermissionMode
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  /** The rules and the mode of this run only. */
  readonly given?: Pick<RecordedPermissions, 'mode' | 'allow' | 'ask' | 'deny'>
}

/** Why a run ended. `interrupted`: it was released or suspended. No end was recorded, and any process can continue it. */
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

/** The event that a run starts with. */
export function runStart(setup: RunSetup, isResumed: boolean): RunEventBody {
  const {
    protocol,
    cwd,
    tools: _tools,
    messages: _messages,
    untrusted: _,
    warnings: __,
    trace: ___,
    ...facts
  } = setup
  return {
    type: 'run-start',
    ...facts,
    ...(cwd !== undefined && { folder: cwd }),
    protocol: protocol === 'native' ? undefined : protocol,
    resumed: isResumed,
  }
}

/** The event that a turn starts with. */
export function turnStart(key: InTurn): RunEventBody {
  return { type: 'turn-start', turn: turnNumber(key) }
}

/** The number of a turn in events: a last turn without tools is -1. */
export function turnNumber({ turn, final }: InTurn): number {
  return final ? -1 : turn
}

export function promptChanged(key: InTurn, cause: PromptChange): RunEventBody {
  return { type: 'prompt-changed', turn: turnNumber(key), cause }
}

/** A tool starts: with these arguments, if they differ from those that the model wrote. */
export function toolStart(
  { id, name, args: written }: RunCall,
  args: Readonly<Record<string, unknown>> = written,
): RunEventBody {
  return { type: 'tool-start', call: id, name, args }
}

/** A run asks a person. */
export function requestEvent(key: string, asked: WaitRequest): RunEventBody {
  const { name, args } = asked
  return asked.type === 'question'
    ? { type: 'question', key, call: asked.call, questions: asked.questions }
    : { type: 'approval-request', key, request: asked.request, name, args }
}
