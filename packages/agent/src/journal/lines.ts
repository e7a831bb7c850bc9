import { checkName, checkRecord, checkRun } from './check-record.ts'
import { type Journal, type JournalRecord, type RecordedRun } from './journal.ts'

/** A run as JSON Lines: a line about it, then a line for each record. */
export async function exportRun(journal: Journal, run: string): Promise<string> {
  const records = await journal.read(run)
  const found = await journal.runs({ search: run, limit: Number.MAX_SAFE_INTEGER })
  const name = found.find((summary) => summary.run === run)?.name
  if (records.length === 0) throw new TypeError(`There is no run ${run}.`)
  const head = { toolglot: 'run', version: 1, run, ...(name && { name }), records: records.length }
  return [head, ...records].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/**
 * Records the runs of such lines, and gives their ids. All lines are checked before anything is recorded. Whoever wrote
 * them may have written anything: what is imported can be read, and goes on only where somebody says so (`open`).
 */
export async function importRuns(journal: Journal, lines: string): Promise<readonly string[]> {
  const runs = readRuns(lines)
  for (const run of runs) await journal.add(run)
  return runs.map(({ run }) => run)
}

interface Head {
  readonly run: string
  readonly name?: string
  /** How many there are: a text that was cut is told by it. */
  readonly count: number
}

function readRuns(text: string): RecordedRun[] {
  if (text.length > LARGEST)
    throw new TypeError(`At most ${LARGEST} characters are imported at once, not ${text.length}.`)
  const runs: (Head & { records: JournalRecord[]; seen: Set<string> })[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = `Line ${index + 1}`
    const fields = fieldsOf(line, at)
    const current = runs.at(-1)
    if (!current || current.records.length === current.count) {
      const head = headOf(fields, at)
      if (runs.some(({ run }) => run === head.run))
        throw new TypeError(`${at}: the run ${head.run} came before.`)
      runs.push({ ...head, records: [], seen: new Set() })
      continue
    }
    const record = recordOf(fields, at)
    const name = `${record.kind} ${record.key}`
    if (current.seen.has(name)) throw new TypeError(`${at}: there is a ${name} already.`)
    current.seen.add(name)
    current.records.push(record)
  }
  const last = runs.at(-1)
  if (!last) throw new TypeError('There is no run in it: expected the lines that an export gives.')
  if (last.records.length < last.count) {
    throw new TypeError(
      `The run ${last.run} has ${last.count} records, but only ${last.records.length} came: the text was cut.`,
    )
  }
  return runs.map(({ run, name, records }) => ({ run, ...(name && { name }), records }))
}

const LARGEST = 256 << 20
const MAX_RECORDS = 1_000_000

function headOf({ toolglot, version, run, name, records }: Fields, at: string): Head {
  if (toolglot !== 'run')
    throw new TypeError(`${at}: expected the line that a run begins with, {"toolglot":"run",…}.`)
  if (version !== 1)
    throw new TypeError(`${at}: expected version 1, not ${String(version)}. Use a newer toolglot.`)
  if (!Number.isInteger(records) || Number(records) < 1 || Number(records) > MAX_RECORDS)
    throw new TypeError(`${at}: expected how many records there are, 1 to ${MAX_RECORDS}.`)
  within(at, () => checkRun(run as string))
  if (name !== undefined) within(at, () => checkName(name as string))
  const named = name === undefined ? {} : { name: name as string }
  return { run: run as string, ...named, count: Number(records) }
}

function recordOf({ key, kind, value, time }: Fields, at: string): JournalRecord {
  if (!Number.isSafeInteger(time) || Number(time) < 0)
    throw new TypeError(`${at}: expected a time in milliseconds since 1970.`)
  const record = { key, kind, value: value ?? null, time } as JournalRecord
  within(at, () => checkRecord(record))
  return record
}

type Fields = Partial<Record<string, unknown>>

function fieldsOf(line: string, at: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // Whatever is wrong with it, it is not what an export gives.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${at}: expected a JSON object.`)
  return value
}

function within(at: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw new TypeError(`${at}: ${(error as Error).message}`, { cause: error })
  }
}
