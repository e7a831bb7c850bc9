import { killSuite, times } from '../../test/kill/suite.ts'
import type { JournalRecord } from '../journal/journal.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'

/** The calls of the run, by the keys of their records. */
const CALLS: Readonly<Record<string, string>> = {
  'turn/0/call/0': 'look a',
  'turn/0/call/1': 'look b',
  'turn/1/call/0': 'set a',
  'turn/1/call/1': 'put a',
  'turn/2/call/0': 'put b',
  'turn/2/call/1': 'put c',
  'turn/4/call/0': 'put d',
  'turn/4/call/1': 'set b',
}
const TURNS = [0, 1, 2, 3, 4, 5]
const KEYS = ['run', ...TURNS.map((turn) => `turn/${turn}`), ...Object.keys(CALLS)]
KEYS.push('input/0', 'end/0', 'end/1')

killSuite({
  program: new URL('../../test/kill/real-run.ts', import.meta.url),
  points: 96,
  every: 96,
  isInterrupted: (record) => outcomeOf(record)?.status === 'unknown',
  problems(records, effects, kills) {
    const values = records.filter(({ kind }) => kind === 'value')
    const keys = values.map(({ key }) => key).filter((key) => !key.includes('/approval/'))
    const problems =
      keys.sort().join() === [...KEYS].sort().join() ? [] : [`keys are ${keys.join()}`]
    let unknown = 0
    for (const record of values) {
      const call = CALLS[record.key]
      const outcome = outcomeOf(record)
      if (call === undefined || !outcome) continue
      const done = times(effects, call)
      const isOnce = call.startsWith('put')
      if (outcome.status === 'unknown') unknown++
      if (outcome.status === 'success' && done === 0) problems.push(`lost ${call}`)
      if (isOnce && done > 1) problems.push(`doubled ${call}`)
      if (!isOnce && done > 1 + kills) problems.push(`repeated ${call} ${done} times`)
      if (!allowed(call).includes(outcome.status)) problems.push(`${call} is ${outcome.status}`)
    }
    if (times(effects, 'put c') > 0) problems.push('done although it was denied: put c')
    if (unknown > kills) problems.push(`${unknown} unknown by ${kills} kills`)
    for (const turn of TURNS)
      if (times(effects, `turn ${turn}`) > 1 + kills) problems.push(`turn ${turn} was repeated`)
    for (const key of 'abcd')
      if (times(effects, `asked ${key}`) > 1 + kills) problems.push(`asked too often: ${key}`)
    const end = values.find(({ key }) => key === 'end/1')?.value as { text?: string } | undefined
    if (end?.text !== `all done, ${unknown} unknown`) problems.push(`the end is ${end?.text}`)
    return problems
  },
})

function outcomeOf({ key, kind, value }: JournalRecord): ToolOutcome | undefined {
  return kind === 'value' && key in CALLS ? (value as ToolOutcome) : undefined
}

/**
 * The possible outcomes of a call. A repeatable call is never unknown, and a denied one never
 * starts.
 */
function allowed(call: string): ToolOutcome['status'][] {
  if (call === 'put c') return ['denied']
  return call.startsWith('put') ? ['success', 'unknown'] : ['success']
}
