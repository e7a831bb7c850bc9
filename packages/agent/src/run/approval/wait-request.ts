import type { ApprovalRequest } from '@toolglot/permissions'
import type { Question } from '../../tool/question.ts'
import type { RunEventBody } from '../event.ts'

/** What a run asks a person, as recorded while it waits for the answer. */
export type WaitRequest = {
  /** The tool that was called, by the name that the model used. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
} & (
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  | { readonly type: 'question'; readonly call: string; readonly questions: readonly Question[] }
)

/** The event that announces a request. */
export function requestEvent(key: string, asked: WaitRequest): RunEventBody {
  const { name, args } = asked
  return asked.type === 'question'
    ? { type: 'question', key, call: asked.call, questions: asked.questions }
    : { type: 'approval-request', key, request: asked.request, name, args }
}
