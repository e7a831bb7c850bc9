import { addUsage, noUsage } from '../model/usage.ts'
import { openCalls } from '../run/resume/history.ts'
import { type Turn, visibleText } from '../run/turn/recorded-turn.ts'
import type { JournalRecord, RunMessage } from './journal.ts'
import { parseKey, printKey } from './keys.ts'
import { readRunFacts } from './run-summary.ts'

/** The end of a run that was told to stop while no process executed it; undefined if it has already obeyed. */
export function stoppedEnd(
  records: readonly JournalRecord[],
): Omit<JournalRecord, 'time'> | undefined {
  const isEnd = ({ kind, key }: JournalRecord): boolean =>
    kind === 'value' && parseKey(key)?.type === 'end'
  const lastStop = records
    .map((record) => record.kind === 'message' && (record.value as RunMessage).type === 'stop')
    .lastIndexOf(true)
  if (lastStop === -1 || records.slice(lastStop).some(isEnd)) return undefined
  const cancelled = readOdd(() => openCalls(records), []).map(printKey)
  const usages = records.flatMap((record) => readRunFacts(record).usage ?? [])
  return {
    key: printKey({ type: 'end', number: records.filter(isEnd).length }),
    kind: 'value',
    value: {
      reason: 'cancelled',
      text: lastText(records),
      usage: usages.reduce(addUsage, noUsage),
      error: 'The run was stopped.',
      ...(cancelled.length > 0 && { cancelled }),
    },
  }
}

/** The last text that the model wrote for people. */
function lastText(records: readonly JournalRecord[]): string {
  const replies = records.filter(
    ({ kind, key }) => kind === 'value' && parseKey(key)?.type === 'turn',
  )
  const texts = replies
    .map(({ value }) => readOdd(() => visibleText(value as Turn).trim(), ''))
    .filter((text) => text !== '')
  return texts.at(-1) ?? ''
}

/** Reads records that may contain anything: what is not a turn has nothing in it. */
function readOdd<Value>(read: () => Value, nothing: Value): Value {
  try {
    return read()
  } catch {
    // Not a turn.
    return nothing
  }
}
