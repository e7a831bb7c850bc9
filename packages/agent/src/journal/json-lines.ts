import { checkRunName, encodeRecord, checkRunId, checkMessages } from './record.ts'
import type { Journal, JournalRecord, RecordedRun } from './journal.ts'
import { JOURNAL_VERSION } from './storage.ts'

/** Exports a run as JSON Lines: a header line, then one line per record. */
export async function exportRun(journal: Journal, run: string): Promise<string> {
  const records = await journal.read(run)
  const [summary] = await journal.runs({ run })
  if (records.length === 0) throw new TypeError(`The run ${run} does not exist.`)
  const head = {
    toolglot: 'run',
    version: JOURNAL_VERSION,
    run,
    ...(summary?.name && { name: summary.name }),
    records: records.length,
  }
  return [head, ...records].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/**
 * Imports runs from exported JSON Lines and returns their ids. All lines are checked before
 * anything is recorded. The lines are untrusted: an imported run can be read, but resuming it
 * requires `imported: true`.
 */
export async function importRuns(journal: Journal, lines: string): Promise<readonly string[]> {
  const runs = readRuns(lines)
  for (const run of runs) await journal.add(run)
  return runs.map(({ run }) => run)
}

interface Head {
  readonly run: string
  readonly name?: string
  /** The number of records, to detect truncated text. */
  readonly count: number
}

function readRuns(text: string): RecordedRun[] {
  if (text.length > MAX_LENGTH)
    throw new TypeError(`The text has ${text.length} characters; the maximum is ${MAX_LENGTH}.`)
  const runs: (Head & { records: JournalRecord[]; seen: Set<string> })[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = `Line ${index + 1}`
    const fields = fieldsOf(line, at)
    const current = runs.at(-1)
    if (!current || current.records.length === current.count) {
      const head = headOf(fields, at)
      if (runs.some(({ run }) => run === head.run))
        throw new TypeError(`${at}: The run ${head.run} appears twice.`)
      runs.push({ ...head, records: [], seen: new Set() })
      continue
    }
    const record = recordOf(fields, at)
    const name = `${record.kind} ${record.key}`
    if (current.seen.has(name)) throw new TypeError(`${at}: The record ${name} appears twice.`)
    current.seen.add(name)
    current.records.push(record)
    if (current.records.length === current.count) withLine(at, () => checkMessages(current.records))
  }
  const last = runs.at(-1)
  if (!last) throw new TypeError('The text contains no exported run.')
  if (last.records.length < last.count) {
    throw new TypeError(
      `The text is truncated: it contains ${last.records.length} of ${last.count} records of the run ${last.run}.`,
    )
  }
  return runs.map(({ run, name, records }) => ({ run, ...(name && { name }), records }))
}

const MAX_LENGTH = 256 << 20
const MAX_RECORDS = 1_000_000

function headOf({ toolglot, version, run, name, records }: Fields, at: string): Head {
  if (toolglot !== 'run')
    throw new TypeError(`${at}: This must be the header line of a run, {"toolglot":"run",…}.`)
  if (version !== JOURNAL_VERSION)
    throw new TypeError(
      `${at}: The run has ${typeof version === 'number' ? `version ${version}` : 'no valid version'}, but this toolglot reads version ${JOURNAL_VERSION}.`,
    )
  if (!Number.isInteger(records) || Number(records) < 1 || Number(records) > MAX_RECORDS)
    throw new TypeError(`${at}: The number of records must be from 1 to ${MAX_RECORDS}.`)
  withLine(at, () => checkRunId(run as string))
  if (name !== undefined) withLine(at, () => checkRunName(name as string))
  const named = name === undefined ? {} : { name: name as string }
  return { run: run as string, ...named, count: Number(records) }
}

function recordOf({ key, kind, value, time }: Fields, at: string): JournalRecord {
  if (!Number.isSafeInteger(time) || Number(time) < 0)
    throw new TypeError(`${at}: The time must be in milliseconds since 1970.`)
  const record = { key, kind, value: value ?? null, time } as JournalRecord
  withLine(at, () => encodeRecord(record))
  return record
}

type Fields = Partial<Record<string, unknown>>

function fieldsOf(line: string, at: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // The line is not JSON, which is reported below.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${at}: This must be a JSON object.`)
  return value
}

function withLine(at: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw new TypeError(`${at}: ${(error as Error).message}`, { cause: error })
  }
}
