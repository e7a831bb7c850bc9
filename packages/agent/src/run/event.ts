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
 * An event in a run. Recorded events are numbered across the whole run, whichever processes execute
 * it: `replay` and `follow` yield the same events with the same numbers.
 */
export type RunEvent = RunEventBody & {
  readonly run: string
  /**
   * The number of the event, counting from 0. A transient event has the number of the preceding
   * recorded event.
   */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly time: number
  /**
   * The event is not recorded: it previews a record or shows progress, such as a reply that is
   * still being written. `turn-end` and `tool-end` confirm the events before them.
   */
  readonly transient?: true
}

/** An event without the fields common to all events. */
export type RunEventBody =
  | ({
      readonly type: 'run-start'
      /** The id of the protocol. Undefined for native function calling. */
      readonly protocol: string | undefined
      /** True if the journal already contained records of this run. */
      readonly resumed: boolean
    } & RunFacts)
  /** A message from a person. */
  | {
      readonly type: 'prompt'
      /** The text of the message. */
      readonly content: string
      /** The number of images, if any. The images themselves are in the journal. */
      readonly images?: number
    }
  | { readonly type: 'turn-start'; readonly turn: number }
  /** The prompt of this turn does not start with the prompt and reply of the previous turn. */
  | { readonly type: 'prompt-changed'; readonly turn: number; readonly cause: PromptChange }
  | Exclude<ParserEvent, { type: 'end' } | { type: 'call-end' }>
  | { readonly type: 'call-end'; readonly index: number; readonly call: RunCall }
  | {
      readonly type: 'turn-end'
      readonly turn: number
      readonly usage: Usage
      /** The time from the request to the first chunk of the reply, in milliseconds. */
      readonly firstToken?: number
      /** The duration of the reply, in milliseconds. */
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
      /** The scope of the answer, if it covers more than this call. */
      readonly always?: 'run' | 'user' | 'folder'
      /** The rules that it added. */
      readonly rules?: readonly string[]
      /** The rules that allowed the call, if no person did. They were added with another answer. */
      readonly allowedBy?: readonly string[]
      /**
       * The hosts that the call can reach, if a person allowed more hosts than the sandbox does.
       */
      readonly network?: NetworkAnswer
    }
  /** A tool starts, after its call has been approved. */
  | {
      readonly type: 'tool-start'
      readonly call: string
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'tool-progress'; readonly call: string; readonly update: ToolProgress }
  /**
   * A call repeats an earlier one. It does not run, and either fails or gets the earlier result.
   */
  | {
      readonly type: 'duplicate'
      readonly call: string
      readonly name: string
      /** The id of the earlier call. */
      readonly of: string
      readonly on: 'reuse' | 'warn'
    }
  /** The end of a call. Every call has one `call-end`, even if it did not run. */
  | {
      readonly type: 'tool-end'
      readonly call: string
      readonly name: string
      readonly outcome: ToolOutcome
    }
  /** A stopped tool, whose outcome was unknown, has ended after all. */
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
      /** The answer, or else the last text of the model. */
      readonly text: string
      readonly usage: Usage
      /** The reason why there is no answer, for people. */
      readonly error?: string
      /** The text of the incomplete reply, if the run ended while the model was writing. */
      readonly unfinished?: string
      /** The keys of the pending requests, if the run was suspended. */
      readonly pending?: readonly string[]
      /** The problem with the journal, or `changed` if the setup of the run has changed. */
      readonly problem?: JournalProblem
    }

/** A call of a turn. Its `id` is unique in the run. */
export interface RunCall extends Call {
  /** The id that the model gave the call, if any. */
  readonly modelId?: string
}

/** Facts about a run at its start, for people. */
export interface RunFacts {
  readonly model: string
  /** The model's reference in settings and on the command line, such as `ollama/qwen3:8b`. */
  readonly modelReference?: string
  /** The source of that reference: the user, or the settings of a folder. */
  readonly modelNamedBy?: 'person' | 'folder'
  /** The size of the model's context window, in tokens. */
  readonly contextTokens?: number
  /** The working directory. */
  readonly folder?: string
  /** The machine that its tools run on, if any tool specifies it. */
  readonly host?: string
  /** The owner of the run. */
  readonly owner?: string
  /** The version of the program and its tools, if provided. */
  readonly version?: string
  readonly limits?: Limits
  /**
   * The permissions at the start. Decisions use the current ones, so that a new deny rule takes
   * effect immediately.
   */
  readonly permissions?: RecordedPermissions
  readonly forkOf?: ForkSource
}

/** Permissions in text form. */
export interface RecordedPermissions {
  readonly mode?: PermissionMode
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  /** The rules and mode of this run only. */
  readonly given?: Pick<RecordedPermissions, 'mode' | 'allow' | 'ask' | 'deny'>
}

/**
 * The reason why a run ended. `interrupted`: it was released or suspended, so no end was recorded
 * and any process can continue it.
 */
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

/** The first event of a run. */
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

/** The first event of a turn. */
export function turnStart(key: InTurn): RunEventBody {
  return { type: 'turn-start', turn: turnNumber(key) }
}

/** The number of a turn in events. A last turn without tools has the number -1. */
export function turnNumber({ turn, final }: InTurn): number {
  return final ? -1 : turn
}

export function promptChanged(key: InTurn, cause: PromptChange): RunEventBody {
  return { type: 'prompt-changed', turn: turnNumber(key), cause }
}

/**
 * The event for the start of a tool, with its arguments if they differ from those written by the
 * model.
 */
export function toolStart(
  { id, name, args: written }: RunCall,
  args: Readonly<Record<string, unknown>> = written,
): RunEventBody {
  return { type: 'tool-start', call: id, name, args }
}

/** The event for a request to a person. */
export function requestEvent(key: string, asked: WaitRequest): RunEventBody {
  const { name, args } = asked
  return asked.type === 'question'
    ? { type: 'question', key, call: asked.call, questions: asked.questions }
    : { type: 'approval-request', key, request: asked.request, name, args }
}
