import { expect, test } from 'vitest'
import { printJournalMetrics } from './shared-journal.ts'

test('prints the state of a journal, and the counts of each process', () => {
  const counts = {
    claimed: 5,
    fenceLosses: 2,
    unknownCalls: 3,
    appends: 10,
    appendSeconds: 0.5,
    appendBuckets: [4, 9],
  }
  const printed = printJournalMetrics(
    {
      running: 1,
      due: 2,
      postponed: 0,
      orphaned: 4,
      waiting: 7,
      processes: [{ name: 'process 1 on "a"', ...counts }],
    },
    [0.01, 0.1],
  )
  const process = 'process="process 1 on  a ",journal="0"'
  for (const line of [
    'toolglot_journal_runs{state="orphaned"} 4',
    'toolglot_journal_runs{state="waiting"} 7',
    'toolglot_journal_processes 1',
    `toolglot_journal_claimed_total{${process}} 5`,
    `toolglot_journal_unknown_calls_total{${process}} 3`,
    `toolglot_journal_fence_losses_total{${process}} 2`,
    `toolglot_journal_append_seconds_bucket{${process},le="0.1"} 9`,
    `toolglot_journal_append_seconds_bucket{${process},le="+Inf"} 10`,
    `toolglot_journal_append_seconds_sum{${process}} 0.5`,
  ])
    expect(printed).toContain(`${line}\n`)
  expect(printed.split('\n').filter((line) => line.startsWith('# TYPE'))).toHaveLength(6)
})
