import type { JournalStatus, ProcessCounts } from '@toolglot/postgres'

/** The state of a shared journal in Prometheus' text format. Every server says the same about it. */
export function printJournalMetrics(
  { processes, ...states }: JournalStatus,
  buckets: readonly number[],
): string {
  // Two journals of one process have the same name.
  const named = processes.map((each, at) => ({
    ...each,
    label: `process="${escaped(each.name)}",journal="${at}"`,
  }))
  const counter = (name: string, help: string, count: (each: ProcessCounts) => number): string =>
    metric(
      `toolglot_journal_${name}_total`,
      'counter',
      help,
      named.map((each) => `{${each.label}} ${count(each)}`),
    )
  const appends = 'toolglot_journal_append_seconds'
  return [
    metric(
      'toolglot_journal_runs',
      'gauge',
      'Runs in the shared journal that have not ended',
      Object.entries(states).map(([state, count]) => `{state="${state}"} ${count}`),
    ),
    metric('toolglot_journal_processes', 'gauge', 'Processes that use the shared journal', [
      ` ${processes.length}`,
    ]),
    counter('claimed', 'Runs that a process has claimed', ({ claimed }) => claimed),
    counter(
      'unknown_calls',
      'Calls of which it is unknown whether they were done',
      (each) => each.unknownCalls,
    ),
    counter(
      'fence_losses',
      'Records that were refused because another process had taken over',
      (each) => each.fenceLosses,
    ),
    `# HELP ${appends} How long it took to record something\n# TYPE ${appends} histogram\n`,
    ...named.flatMap(({ label, appends: count, appendSeconds, appendBuckets }) => [
      ...appendBuckets.map(
        (each, at) => `${appends}_bucket{${label},le="${buckets[at]}"} ${each}\n`,
      ),
      `${appends}_bucket{${label},le="+Inf"} ${count}\n`,
      `${appends}_sum{${label}} ${appendSeconds}\n`,
      `${appends}_count{${label}} ${count}\n`,
    ]),
  ].join('')
}

function metric(name: string, type: string, help: string, series: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...series.map((each) => name + each)]
    .map((line) => `${line}\n`)
    .join('')
}

function escaped(text: string): string {
  return text.replace(/["\\\n]/g, ' ')
}
