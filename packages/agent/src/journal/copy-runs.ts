import { type Journal, JournalError, type JournalRecord } from './journal.ts'
import type { RunSummary } from './run-summary.ts'

/** Options for `copyRuns`. */
export interface CopyRunsOptions {
  /**
   * Also move unfinished runs. They are deleted from the source so that they cannot continue twice.
   * Default: leave them.
   */
  readonly unfinished?: boolean | undefined
}

/** The result of copying a run. */
export interface CopiedRun {
  readonly run: string
  readonly status: 'copied' | 'moved' | 'present' | 'left'
  /** The reason why it was not copied. */
  readonly reason?: string
}

/**
 * Copies the runs of a journal to another journal, oldest first, with their names and approvals. It
 * is safe to repeat: existing runs are not copied again.
 */
export async function* copyRuns(
  from: Journal,
  to: Journal,
  { unfinished = false }: CopyRunsOptions = {},
): AsyncGenerator<CopiedRun, void> {
  const all = await from.runs({ limit: Number.MAX_SAFE_INTEGER })
  for (const summary of [...all].reverse()) {
    const { run, state } = summary
    try {
      if (state === 'finished') yield await copyRun(summary, await from.read(run), to)
      else if (unfinished) yield await moveRun(summary, from, to)
      else yield left(run, 'it has not ended')
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      // The run is damaged or open in another process, so skip it. If the target journal fails, the
      // next run fails too.
      if (!LEFT.has(error.problem)) throw error
      yield left(run, error.message)
    }
  }
}

const LEFT: ReadonlySet<string> = new Set(['corrupt', 'busy', 'missing'])

function left(run: string, reason: string): CopiedRun {
  return { run, status: 'left', reason }
}

async function copyRun(
  { run, name, imported }: RunSummary,
  records: readonly JournalRecord[],
  to: Journal,
): Promise<CopiedRun> {
  const there = await to.read(run)
  if (there.length === 0) {
    await to.add({ run, ...(name !== undefined && { name }), records, imported })
    return { run, status: 'copied' }
  }
  // The run may have continued in the target journal.
  const isSame = records.every((record, at) => sameRecord(record, there[at]))
  return isSame ? { run, status: 'present' } : left(run, 'there is another run with this id')
}

async function moveRun(summary: RunSummary, from: Journal, to: Journal): Promise<CopiedRun> {
  const { run } = summary
  // Opens the run so that no other process can execute it during the copy.
  const log = await from.open(run, { imported: true })
  let copied: CopiedRun
  try {
    copied = await copyRun(summary, log.before, to)
  } finally {
    await log.close()
  }
  if (copied.status === 'left') return copied
  try {
    await from.remove(run)
  } catch (error) {
    // A run that a process has started to execute stays in the source.
    if (copied.status === 'copied') await to.remove(run)
    throw error
  }
  return { run, status: 'moved' }
}

function sameRecord(one: JournalRecord, other: JournalRecord | undefined): boolean {
  const { key, kind, time, value } = one
  return (
    other !== undefined &&
    key === other.key &&
    kind === other.kind &&
    time === other.time &&
    JSON.stringify(value) === JSON.stringify(other.value)
  )
}
