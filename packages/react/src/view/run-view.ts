import type { RunCall, RunEvent, RunFacts, Todo, ToolOutcome, Usage } from '@toolglot/agent'
import type { Malformed } from '@toolglot/core'
import type { ApprovalRequest } from '@toolglot/permissions'
import type { EndReason } from '@toolglot/agent'

/**
 * A run from a person's point of view: all messages, replies, calls and answers so far. Unchanged
 * parts are the same objects.
 */
export interface RunView {
  readonly run: string
  /** The start or last resumption of the run. Undefined before its first event. */
  readonly facts: RunStart | undefined
  /** `waiting` means that the run can't continue until a person answers. */
  readonly state: 'new' | 'working' | 'waiting' | 'ended'
  /** All items in order. */
  readonly items: readonly Item[]
  /** The calls that are waiting for a person, in order. */
  readonly waiting: readonly CallPart[]
  readonly todos: readonly Todo[]
  /** The total usage of all turns. */
  readonly usage: Usage
  /** The number of tokens in the last prompt and its reply, which shows how full the context is. */
  readonly contextUsed: number
  /**
   * The number of turns since the last message from a person. `facts.limits.maxIterations` limits
   * them.
   */
  readonly turns: number
  /** The number of calls started since then. */
  readonly calls: number
  /** The end of the run, if it has ended. */
  readonly end: RunEnd | undefined
  /** The number of the last recorded event. */
  readonly seq: number
}

/** The start or resumption of a run. */
export interface RunStart extends RunFacts {
  /** The id of the protocol, or undefined for native function calling. */
  readonly protocol: string | undefined
}

/** One item of a conversation. Its `id` is unique in the run and never changes. */
export type Item = PromptItem | TurnItem | NoticeItem | RunEnd

/** A message from a person. */
export interface PromptItem {
  readonly type: 'prompt'
  readonly id: string
  readonly text: string
  readonly images: number
  readonly time: number
  /** The number of the following turn. Fork at this turn to replace the message. */
  readonly turn: number
}

/** A reply of the model, with its calls. */
export interface TurnItem {
  readonly type: 'turn'
  readonly id: string
  /**
   * The number of the turn, starting at 0 and including the final turns after a limit, as used in
   * `GET /api/runs/:run/turns/:turn`.
   */
  readonly turn: number
  readonly parts: readonly Part[]
  readonly started: number
  /** True while the model is writing the reply. */
  readonly isOpen: boolean
  /**
   * True if the run ended before the reply was finished. Only its text is known, and it is not a
   * turn that can be shown or forked at.
   */
  readonly isUnfinished?: true
  readonly usage?: Usage
  /** The time to the first token, in milliseconds. */
  readonly firstToken?: number
  /** The duration, in milliseconds. */
  readonly duration?: number
}

/** A notice about the run. */
export interface NoticeItem {
  readonly type: 'notice'
  readonly id: string
  readonly notice:
    | { readonly type: 'warning'; readonly code: string; readonly message: string }
    /** The conversation was shortened: tokens before and after. */
    | { readonly type: 'compacted'; readonly before: number; readonly after: number }
    /** The run was resumed. `changed` is true if the model or protocol is different. */
    | { readonly type: 'resumed'; readonly changed: boolean; readonly start: RunStart }
}

/** The end of a run, which may be resumed. */
export interface RunEnd {
  readonly type: 'end'
  readonly id: string
  readonly reason: EndReason
  readonly error?: string
}

/** One part of a reply. */
export type Part = TextPart | CallPart | MalformedPart | MadeUpPart

/** Text or reasoning. */
export interface TextPart {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  readonly text: string
  /** The position of the part's start in the reply. */
  readonly at: number
}

/** A call, from its first words in the reply to its outcome. */
export interface CallPart {
  readonly type: 'call'
  /** The id of the call. */
  readonly id: string
  readonly name: string
  /** The arguments written so far: JSON that may be cut off anywhere. */
  readonly written: string
  /** The complete call. Undefined while the model is writing it. */
  readonly call?: RunCall
  readonly approval?: CallApproval
  readonly question?: CallQuestion
  /** The time when the tool started, in milliseconds since 1970. */
  readonly started?: number
  /** The end of the tool's output so far. */
  readonly output?: string
  /** The tool's progress message. */
  readonly note?: string
  readonly outcome?: ToolOutcome
  /** The later outcome of a tool whose outcome was unknown. */
  readonly late?: ToolOutcome
  /** The id of the earlier call that it repeats. */
  readonly repeats?: string
}

/** The approval of a call. */
export interface CallApproval {
  /** The key for answering the request. */
  readonly key: string
  readonly request: ApprovalRequest
  readonly args: Readonly<Record<string, unknown>>
  /** The time when it was requested. */
  readonly since: number
  readonly answer?: Pick<
    Extract<RunEvent, { type: 'approval' }>,
    'approval' | 'always' | 'rules' | 'allowedBy' | 'time'
  >
}

/** The questions of a call. */
export interface CallQuestion {
  readonly key: string
  readonly questions: Extract<RunEvent, { type: 'question' }>['questions']
  readonly answers?: Extract<RunEvent, { type: 'answer' }>['answers']
}

/** A call that could not be read. */
export interface MalformedPart extends Malformed {
  readonly type: 'malformed'
  readonly id: string
}

/** A result that the model made up. */
export interface MadeUpPart {
  readonly type: 'made-up'
  readonly id: string
  readonly text: string
}

/** The state of a call. */
export type CallState = 'writing' | 'queued' | 'asking' | 'running' | 'ended'

/** The state of a call. `asking` means that it is waiting for a person. */
export function callState({ call, approval, question, started, outcome }: CallPart): CallState {
  if (outcome) return 'ended'
  if ((approval && !approval.answer) || (question && !question.answers)) return 'asking'
  if (started !== undefined) return 'running'
  return call ? 'queued' : 'writing'
}
