import type { RunCall, RunEvent, RunFacts, Todo, ToolOutcome, Usage } from '@toolglot/agent'
import type { Malformed } from '@toolglot/core'
import type { ApprovalRequest } from '@toolglot/permissions'
import type { EndReason } from '@toolglot/agent'

/** A run as people see it: what was said, written, called and answered so far. Parts that did not change stay the same objects. */
export interface RunView {
  readonly run: string
  /** The start or last resumption of the run. Undefined before its first event. */
  readonly facts: RunStart | undefined
  /** `waiting`: everything that the run could do next waits for a person. */
  readonly state: 'new' | 'working' | 'waiting' | 'ended'
  /** In order. */
  readonly items: readonly Item[]
  /** The calls that wait for a person, in order. */
  readonly waiting: readonly CallPart[]
  readonly todos: readonly Todo[]
  /** All turns together. */
  readonly usage: Usage
  /** The tokens of the last prompt and its reply: how full the context is. */
  readonly contextUsed: number
  /** The turns since the last message of a person: `facts.limits.maxIterations` limits them. */
  readonly turns: number
  /** The calls that were begun since then. */
  readonly calls: number
  /** How the run ended, if it has. */
  readonly end: RunEnd | undefined
  /** The number of the last recorded event. */
  readonly seq: number
}

/** The start or resumption of a run. */
export interface RunStart extends RunFacts {
  /** The id of the protocol; undefined for native function calling. */
  readonly protocol: string | undefined
}

/** One thing in a conversation. `id` is unique in the run, and stays the same. */
export type Item = PromptItem | TurnItem | NoticeItem | RunEnd

/** A message from a person. */
export interface PromptItem {
  readonly type: 'prompt'
  readonly id: string
  readonly text: string
  readonly images: number
  readonly time: number
  /** The number of the turn after it: what to fork at, to replace this message. */
  readonly turn: number
}

/** A reply of the model, with its calls. */
export interface TurnItem {
  readonly type: 'turn'
  readonly id: string
  /** Counted from 0, with the last turns that follow a limit: what `GET /api/runs/:run/turns/:turn` takes. */
  readonly turn: number
  readonly parts: readonly Part[]
  readonly started: number
  /** Whether the model still writes it. */
  readonly isOpen: boolean
  /** The run ended before it was finished: only its text is known. It is not a turn that can be shown or forked at. */
  readonly isUnfinished?: true
  readonly usage?: Usage
  /** In milliseconds. */
  readonly firstToken?: number
  /** In milliseconds. */
  readonly duration?: number
}

/** Something to know about the run. */
export interface NoticeItem {
  readonly type: 'notice'
  readonly id: string
  readonly notice:
    | { readonly type: 'warning'; readonly code: string; readonly message: string }
    /** The conversation was shortened: tokens before and after. */
    | { readonly type: 'compacted'; readonly before: number; readonly after: number }
    /** The run was resumed; `changed` if with another model or protocol. */
    | { readonly type: 'resumed'; readonly changed: boolean; readonly start: RunStart }
}

/** The end of a run. It may be resumed. */
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
  /** Where it begins in the reply. */
  readonly at: number
}

/** A call: from the first word of it that the model writes until its outcome. */
export interface CallPart {
  readonly type: 'call'
  /** The id of the call. */
  readonly id: string
  readonly name: string
  /** The arguments as they are being written: JSON that may be cut anywhere. */
  readonly written: string
  /** The whole call. Undefined while the model still writes it. */
  readonly call?: RunCall
  readonly approval?: CallApproval
  readonly question?: CallQuestion
  /** When its tool began, in milliseconds since 1970. */
  readonly started?: number
  /** The end of what the tool has printed so far. */
  readonly output?: string
  /** The tool's progress message. */
  readonly note?: string
  readonly outcome?: ToolOutcome
  /** How a tool ended whose outcome was unknown. */
  readonly late?: ToolOutcome
  /** The id of the call that it repeats. */
  readonly repeats?: string
}

/** The approval of a call. */
export interface CallApproval {
  /** Its answer. */
  readonly key: string
  readonly request: ApprovalRequest
  readonly args: Readonly<Record<string, unknown>>
  /** Since when it waits. */
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

/** Where a call is on its way. */
export type CallState = 'writing' | 'queued' | 'asking' | 'running' | 'ended'

/** Where a call is on its way. A call that asks waits for a person. */
export function callState({ call, approval, question, started, outcome }: CallPart): CallState {
  if (outcome) return 'ended'
  if ((approval && !approval.answer) || (question && !question.answers)) return 'asking'
  if (started !== undefined) return 'running'
  return call ? 'queued' : 'writing'
}
