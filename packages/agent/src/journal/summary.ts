import type { JournalRecord } from './journal.ts'

/** What a list of runs says of one. */
export interface RunSummary {
  readonly run: string
  /** Given by a person. */
  readonly name: string | undefined
  /** How the first message of the user begins. */
  readonly prompt: string | undefined
  readonly model: string | undefined
  /** When its first and its last record were made, in milliseconds since 1970. */
  readonly started: number
  readonly last: number
  /** How many turns of the model are recorded. */
  readonly turns: number
  /** `interrupted`: it has not ended, and nobody is at it. `corrupt`: part of it is lost, so it cannot go on. */
  readonly state: RunState
  /** Why it ended, if it is finished. */
  readonly reason: string | undefined
  /** It was recorded elsewhere. */
  readonly imported: boolean
}

export type RunState = 'running' | 'waiting' | 'finished' | 'interrupted' | 'corrupt'

/** What one record says about its whole run. */
export interface RunFacts {
  readonly prompt?: string
  readonly model?: string
  readonly turns?: 1
  readonly reason?: string
}

/** A run records `run` first, `turn/N` for each turn of the model, and `end/N` whenever it ends: it may go on later. */
export function factsOf({ key, kind, value }: Omit<JournalRecord, 'time'>): RunFacts {
  if (kind !== 'value') return {}
  if (TURN.test(key)) return { turns: 1 }
  const fields = fieldsOf(value)
  if (END.test(key)) return { reason: textOf(fields['reason']) ?? 'unknown' }
  if (key !== 'run') return {}
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : []
  const prompt = textOf(messages.find(({ role }) => role === 'user')?.['content'])
  const model = textOf(fields['model'])
  return { ...(prompt && { prompt }), ...(model && { model }) }
}

const TURN = /^turn\/\d+$/
const END = /^end(\/\d+)?$/

/** Whether a run waits for somebody: for an answer to something that is not over without it. */
export function isWaiting(records: readonly JournalRecord[]): boolean {
  return records.some(
    (asked, at) =>
      asked.kind === 'wait' &&
      !records.some(({ kind, key }) => kind === 'answer' && key === asked.key) &&
      !records
        .slice(at)
        .some(({ kind, key }) => kind === 'value' && asked.key.startsWith(`${key}/`)),
  )
}

/** In characters. */
const LONGEST = 200

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, LONGEST).replace(/\p{Cs}/gu, '') : undefined
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? value : {}
}
