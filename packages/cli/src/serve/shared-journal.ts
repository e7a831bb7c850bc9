import { hostname } from 'node:os'
import type { SharedJournal } from '@toolglot/server'
import { userDirectories, UserError, type Workspace } from '@toolglot/workspace'
import { retentionOf, serverSettings } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import type { JournalStatus, ProcessCounts } from '@toolglot/postgres'

/** The options of commands that use a shared journal. */
export interface SharedJournalFlags {
  readonly journal?: string
  readonly machine?: string
  readonly codeVersion?: string
  readonly whenChanged?: 'leave' | 'ask' | 'continue'
  readonly maxRuns?: number
  readonly maxPerOwner?: number
  readonly maxPerModel?: number
}

/**
 * The URL of the shared journal, from the command line or from the environment, which is hidden
 * from other users.
 */
export function journalUrl(named: string | undefined, { env }: Terminal): string | undefined {
  const url = named ?? env['TOOLGLOT_JOURNAL']
  if (url === undefined || url === '') return undefined
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UserError(
      'usage',
      'The journal must be a URL such as postgres://user:password@host/database. Without one, runs are recorded in a file of this user',
    )
  return url
}

/** A shared journal, and its figures. */
export interface OpenSharedJournal extends SharedJournal {
  /** The number of runs, in the Prometheus text format. */
  metrics(): Promise<string>
}

/** The context for opening a shared journal. */
export interface SharedJournalSurroundings {
  readonly terminal: Terminal
  readonly workspace: Workspace
  readonly warn: (text: string) => void
}

/**
 * Opens the shared journal given on the command line. Undefined if none is given. Fails if the
 * journal cannot be used.
 */
export async function openSharedJournal(
  flags: SharedJournalFlags,
  { terminal, workspace, warn }: SharedJournalSurroundings,
): Promise<OpenSharedJournal | undefined> {
  const { journal: named, machine = hostname(), maxRuns = 50, maxPerOwner, maxPerModel } = flags
  const { codeVersion: version, whenChanged = 'leave' } = {
    ...serverSettings(workspace.settings),
    ...flags,
  }

  const url = journalUrl(named, terminal)
  if (url === undefined) return undefined
  // Imported here so that it is loaded only if needed.
  const { APPEND_BUCKETS, postgresJournal } = await import('@toolglot/postgres')
  const kept = retentionOf(userDirectories(terminal.env))
  const journal = postgresJournal({ url, driven: true, warn, retention: kept || undefined })
  try {
    await journal.status()
  } catch (error) {
    await journal.close()
    throw new UserError('data', (error as Error).message)
  }
  return {
    journal,
    values: journal.values,
    machine,
    version,
    whenChanged,
    maxRuns,
    metrics: async () => printJournalMetrics(await journal.status(), APPEND_BUCKETS),
    claim: (limit, except) =>
      journal.claim({
        limit,
        except,
        host: machine,
        version: whenChanged === 'leave' && version !== undefined ? version : undefined,
        maxPerOwner,
        maxPerModel,
      }),
  }
}

/** The state of a shared journal in the Prometheus text format. It is the same for every server. */
export function printJournalMetrics(
  { processes, ...states }: JournalStatus,
  buckets: readonly number[],
): string {
  // Two journals in one process have the same name.
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
    counter('unknown_calls', 'Calls with an unknown outcome', (each) => each.unknownCalls),
    counter(
      'fence_losses',
      'Records that were refused because another process had taken over',
      (each) => each.fenceLosses,
    ),
    `# HELP ${appends} Time to append records, in seconds\n# TYPE ${appends} histogram\n`,
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
