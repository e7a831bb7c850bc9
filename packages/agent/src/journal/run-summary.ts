import type { Usage } from '../model/usage.ts'
import type { JournalRecord } from './journal.ts'

/** A run in a list of runs. */
export interface RunSummary {
  readonly run: string
  /** Given by a person. */
  readonly name: string | undefined
  /** The start of the first user message. */
  readonly prompt: string | undefined
  readonly model: string | undefined
  /** The working directory. */
  readonly folder: string | undefined
  /** The id of the protocol; `native` for native function calling. */
  readonly protocol: string | undefined
  /** Whose run it is, if that was given. */
  readonly owner: string | undefined
  /** The sum over all its turns. */
  readonly usage: Usage
  /** The run that it is a fork of, and the first turn that is its own. */
  readonly forkOf: ForkSource | undefined
  /** The time of its first record, in milliseconds since 1970. */
  readonly started: number
  /** The time of its last record. */
  readonly last: number
  /** The number of recorded turns of the model. */
  readonly turns: number
  readonly state: RunState
  /** Why it ended, if it is finished. */
  readonly reason: string | undefined
  /** Whether it was recorded elsewhere. */
  readonly imported: boolean
}

/** Where a fork starts. */
export interface ForkSource {
  readonly run: string
  /** The first turn that is not copied. */
  readonly turn: number
}

/** `interrupted`: not finished, and no process has it open. `corrupt`: part of it is lost, so it cannot be resumed. */
export type RunState = 'running' | 'waiting' | 'finished' | 'interrupted' | 'corrupt'

/** What one record contributes to the summary of its run. */
export interface RunFacts {
  readonly prompt?: string
  readonly model?: string
  readonly turns?: 1
  readonly reason?: string
}

/** Reads a record for the summary: `run` comes first, `turn/N` is a turn, and `end/N` an end, after which a run may resume. */
export function readRunFacts({ key, kind, value }: Omit<JournalRecord, 'time'>): RunFacts {
  if (kind !== 'value') return {}
  if (TURN.test(key)) return { turns: 1 }
  const fields = fieldsOf(value)
  if (END.test(key)) return { reason: shortText(fields['reason']) ?? 'unknown' }
  if (key !== 'run') return {}
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : []
  const prompt = shortText(messages.find(({ role }) => role === 'user')?.['content'])
  const model = shortText(fields['model'])
  return { ...(prompt && { prompt }), ...(model && { model }) }
}

const TURN = /^turn\/\d+$/
const END = /^end(\/\d+)?$/

/** Whether a run waits for an answer: one is pending, and its step has not ended without it. */
export function isWaiting(records: readonly JournalRecord[]): boolean {
  return records.some(
    (wait, at) =>
      wait.kind === 'wait' &&
      !records.some(({ kind, key }) => kind === 'answer' && key === wait.key) &&
      !records
        .slice(at)
        .some(({ kind, key }) => kind === 'value' && wait.key.startsWith(`${key}/`)),
  )
}

const MAX_LENGTH = 200

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_LENGTH).replace(/\p{Cs}/gu, '') : undefined
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? value : {}
}
