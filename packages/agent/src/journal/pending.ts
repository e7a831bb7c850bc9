import type { DecisionPart, NetworkNotice, RuleSuggestion, RunCode } from '@toolglot/permissions'
import { isObject } from '../tool/json-schema.ts'
import type { Question, QuestionOption } from '../tool/question.ts'
import type { JournalRecord } from './journal.ts'
import { isInside } from './keys.ts'
import type { WaitRecord } from './storage.ts'

/** A request that a run is waiting for: the approval of a call, or answers to questions. */
export type PendingRequest = PendingApproval | PendingQuestion

interface Pending {
  readonly run: string
  /** The key for `Journal.answer`. */
  readonly key: string
  /** The id of the call. */
  readonly call: string
  /** The name of the tool, as the model wrote it. */
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** The time of the request, in milliseconds since 1970. */
  readonly since: number
}

/** A call waiting for approval. */
export interface PendingApproval extends Pending {
  readonly type: 'approval'
  /** The parts of the call, each with its verdict and reason. */
  readonly parts: readonly DecisionPart[]
  /** The shell text to run instead of the text in the call. See `Decision.runs`. */
  readonly runs?: string
  /**
   * The reason why the shell text runs as written. See `Decision.unprinted`. Must be shown to the
   * approver.
   */
  readonly unprinted?: string
  /** The code that the call may run. See `Decision.code`. Must be shown to the approver. */
  readonly code?: RunCode
  /**
   * For each part that needs approval: the rule that "always" would add, or the reason why there is
   * none.
   */
  readonly suggestions: readonly RuleSuggestion[]
  /** The time at which the call is denied automatically, in milliseconds since 1970. */
  readonly expires?: number
  /** The hosts that the call can reach. Missing if network access is not limited. */
  readonly network?: NetworkNotice
}

/** A call waiting for answers to its questions. */
export interface PendingQuestion extends Pending {
  readonly type: 'question'
  readonly questions: readonly Question[]
}

/** The wait records of a run that have no answer yet. */
export function pendingWaits(records: readonly JournalRecord[]): readonly JournalRecord[] {
  return records.filter(
    ({ kind, key }) => kind === 'wait' && whyNotPending(records, key) === undefined,
  )
}

/**
 * The reason why an answer with this key would be rejected, or undefined if its request is pending.
 */
export function whyNotPending(
  records: readonly JournalRecord[],
  asked: string,
): 'not_asked' | 'answered' | 'over' | undefined {
  const at = records.findIndex(({ kind, key }) => kind === 'wait' && key === asked)
  if (at === -1) return 'not_asked'
  if (records.some(({ kind, key }) => kind === 'answer' && key === asked)) return 'answered'
  const isOver = records.slice(at).some(({ kind, key }) => kind === 'value' && isInside(asked, key))
  return isOver ? 'over' : undefined
}

/** Reads a pending request. Records may contain any value. */
export function readPending({ run, key, value, time }: WaitRecord): PendingRequest {
  const wait = fieldsOf(value)
  const request = fieldsOf(wait['request'])
  const common = {
    run,
    key,
    call: textOf(wait['call'] ?? request['call']),
    tool: textOf(wait['name']),
    args: fieldsOf(wait['args']),
    since: time,
  }
  if (wait['type'] === 'question')
    return { type: 'question', ...common, questions: questionsOf(wait['questions']) }
  const { expires, network } = request
  const { parts, runs, unprinted, code } = fieldsOf(request['decision'])
  return {
    type: 'approval',
    ...common,
    parts: listOf(parts).filter(isPart),
    ...(typeof runs === 'string' && { runs }),
    ...(typeof unprinted === 'string' && { unprinted }),
    ...(isObject(code) && { code: codeOf(code) }),
    suggestions: listOf(request['suggestions']).filter(isSuggestion),
    ...(typeof expires === 'number' && { expires }),
    ...(isObject(network) && {
      network: { reaches: textsOf(network['reaches']), suggested: textsOf(network['suggested']) },
    }),
  }
}

function questionsOf(value: unknown): Question[] {
  return listOf(value).flatMap((each) => {
    const { question, header, options, multiSelect } = fieldsOf(each)
    if (typeof question !== 'string') return []
    return {
      question,
      header: textOf(header),
      options: listOf(options).flatMap(optionOf),
      ...(typeof multiSelect === 'boolean' && { multiSelect }),
    }
  })
}

function optionOf(value: unknown): QuestionOption[] {
  const { label, description, preview } = fieldsOf(value)
  if (typeof label !== 'string') return []
  const shown = typeof preview === 'string' ? { preview } : {}
  return [{ label, description: textOf(description), ...shown }]
}

function codeOf({ anything, folders, files }: Fields): RunCode {
  return { anything: anything !== false, folders: textsOf(folders), files: textsOf(files) }
}

function isPart(value: unknown): value is DecisionPart {
  const { what, verdict, why } = fieldsOf(value)
  return [what, verdict, why].every((each) => typeof each === 'string')
}

function isSuggestion(value: unknown): value is RuleSuggestion {
  const { what, rule, reason } = fieldsOf(value)
  return typeof what === 'string' && typeof (rule ?? reason) === 'string'
}

type Fields = Partial<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((each) => typeof each === 'string')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
