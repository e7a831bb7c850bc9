import type { JournalRecord } from '../../journal/journal.ts'
import type { NotRun } from '../calls/not-run.ts'
import { callsOf, type Turn } from '../turn/recorded-turn.ts'

/** The keys of the calls of the last turn that have no outcome yet. */
export function openCalls(records: readonly JournalRecord[]): readonly string[] {
  const values = records.filter(({ kind }) => kind === 'value')
  const last = values.filter(({ key }) => /^turn\/\d+$/.test(key)).at(-1)
  if (!last) return []
  const notRun = values.find(({ key }) => key === `${last.key}/not-run`)?.value as
    | NotRun
    | undefined
  const ended = new Set(values.map(({ key }) => key))
  return callsOf(last.value as Turn)
    .slice(0, notRun?.from)
    .map((_, at) => `${last.key}/call/${at}`)
    .filter((key) => !ended.has(key))
}
