import type { JournalRecord } from '../../journal/journal.ts'
import { type CallKey, parseKey, printKey, type TurnKey } from '../../journal/keys.ts'
import type { NotRun } from '../calls/not-run.ts'
import { callsOf, type Turn } from '../turn/recorded-turn.ts'

/** The calls of the last turn that have no outcome yet. */
export function openCalls(records: readonly JournalRecord[]): readonly CallKey[] {
  const values = records.filter(({ kind }) => kind === 'value')
  let last: { readonly key: TurnKey; readonly value: Turn } | undefined
  for (const record of values) {
    const key = parseKey(record.key)
    if (key?.type === 'turn' && !key.final) last = { key, value: record.value as Turn }
  }
  if (!last) return []
  const { key: turn } = last
  const byKey = new Map(values.map((record) => [record.key, record]))
  const notRun = byKey.get(printKey({ ...turn, type: 'not-run' }))?.value as NotRun | undefined
  return callsOf(last.value)
    .slice(0, notRun?.from)
    .map((_, call): CallKey => ({ ...turn, type: 'call', call }))
    .filter((key) => !byKey.has(printKey(key)))
}
