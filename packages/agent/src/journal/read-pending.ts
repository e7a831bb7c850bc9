import type { DecisionPart, RuleSuggestion, RunCode } from '@toolglot/permissions'
import type { Question, QuestionOption } from '../tool/question.ts'
import type { PendingRequest } from './pending.ts'
import type { WaitRecord } from './storage.ts'

/** Reads a request that a run waits for. Records may contain anything. */
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

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
