import { killSuite, times } from '../../test/kill/suite.ts'
import { RUN } from '../../test/kill/program.ts'
import type { JournalRecord } from '../journal/journal.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'

/** The allowed calls of each run. The fork shares the first two turns with its source. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  [RUN]: ['a', 'b', 'c', 'd'],
  fork: ['d'],
  stopped: [],
}

killSuite({
  program: new URL('../../test/kill/controlled-run.ts', import.meta.url),
  points: 130,
  every: 37,
  isInterrupted: (record) => outcomeOf(record)?.status === 'unknown',
  problems(_, effects, kills, all) {
    const problems: string[] = []
    for (const [run, calls] of Object.entries(CALLS)) {
      const records = all.get(run) ?? []
      const outcomes = records.flatMap((record) => outcomeOf(record) ?? [])
      const unknown = outcomes.filter(({ status }) => status === 'unknown').length
      for (const key of 'abcd') {
        const done = times(effects, `put ${key} in ${run}`)
        if (done > 1) problems.push(`doubled ${key} in ${run}`)
        if (done > 0 && !calls.includes(key)) problems.push(`${key} was done in ${run}`)
        if (done === 0 && calls.includes(key) && unknown === 0)
          problems.push(`lost ${key} in ${run}`)
      }
      const ends = records.filter(({ key, kind }) => kind === 'value' && key.startsWith('end/'))
      const end = ends.at(-1)?.value as { reason?: string; text?: string } | undefined
      const expected = run === 'stopped' ? 'cancelled' : 'answer'
      if (end?.reason !== expected || ends.length > 1)
        problems.push(`${run} ended ${ends.length} times, with ${end?.reason}`)
      if (run !== 'stopped' && end?.text !== `done, ${unknown} unknown`)
        problems.push(`the end of ${run} is ${end?.text}`)
    }
    if (all.size !== 3) problems.push(`there are ${all.size} runs`)
    for (const turn of [0, 1, 2, 3])
      if (times(effects, `turn ${turn}`) > 3 + kills) problems.push(`turn ${turn} was repeated`)
    return problems
  },
})

function outcomeOf({ key, kind, value }: JournalRecord): ToolOutcome | undefined {
  return kind === 'value' && /^turn\/\d+\/call\/\d+$/.test(key) ? (value as ToolOutcome) : undefined
}
