import { setTimeout as pause } from 'node:timers/promises'
import {
  addFacts,
  type EncodedRecord,
  FROM_OUTSIDE,
  noUsage,
  readRunFacts,
  type Refusal,
  type RunTotals,
} from '@toolglot/agent/journal/internal'
import type { Query, Row } from './database.ts'
import { isConflict, isConnectionError, isUniqueViolation } from './journal-error.ts'

/** Records of a run that are appended atomically. */
export interface Unit {
  readonly run: string
  /** The required epoch of the run. A process that takes over the run increments it. */
  readonly epoch: string
  readonly records: readonly EncodedRecord[]
  /** The minimum number of records in the run. Fewer mean that written records were lost. */
  readonly known: number
  /** The maximum number of messages in the run. */
  readonly messagesRead?: number | undefined
}

/** Appends records of runs that this process holds. Returns the reason if they are refused. */
export type Append = (unit: Unit) => Promise<Refusal | undefined>

/**
 * Creates a function that appends records. Records that arrive while the database is busy are
 * written together, in one statement and one commit, even for different runs.
 */
export function groupedAppends(query: Query): Append {
  let waiting: Entry[] = []
  let isWriting = false

  async function write(): Promise<void> {
    isWriting = true
    // Includes all entries that are appended in this tick.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        const refusals = await appendUnits(
          query,
          batch.map(({ unit }) => unit),
        )
        batch.forEach((entry, index) => {
          if (refusals[index] === 'again') void appendAlone(entry, false)
          else entry.resolve(refusals[index] as Refusal | undefined)
        })
      } catch (error) {
        const isSent = isConnectionError(error)
        // One of the units is refused, or it is unknown whether they were written, so each is tried
        // separately.
        if (isSent || isUniqueViolation(error) || isConflict(error))
          await Promise.all(batch.map((entry) => appendAlone(entry, isSent)))
        else batch.forEach(({ reject }) => reject(error))
      }
    }
    isWriting = false
  }

  /** Takes one unit for each run, so that units of the same run stay in order. */
  function takeBatch(): readonly Entry[] {
    const batch = new Map<string, Entry>()
    const later: Entry[] = []
    let size = 0
    for (const entry of waiting) {
      const { run, records } = entry.unit
      if (batch.has(run) || size > MAX_SIZE) later.push(entry)
      else batch.set(run, entry)
      size += records.reduce((sum, { text }) => sum + text.length, 0)
    }
    waiting = later
    return [...batch.values()]
  }

  /** `isSent` is true if an earlier attempt, whose response was lost, may have written the unit. */
  async function appendAlone({ unit, resolve, reject }: Entry, isSent: boolean): Promise<void> {
    const isOwn = async (): Promise<boolean> => isSent && (await isWritten(query, unit))
    const deadline = performance.now() + PATIENCE
    for (;;) {
      try {
        const [refusal] = await appendUnits(query, [unit]).catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          return ['taken']
        })
        if (refusal === 'again') continue
        if (refusal === 'taken' && (await isOwn())) return resolve(undefined)
        return resolve(refusal as Refusal | undefined)
      } catch (error) {
        isSent ||= isConnectionError(error)
        const isRepeatable = isConflict(error) || isConnectionError(error)
        if (!isRepeatable || performance.now() > deadline) return reject(error)
        await pause(50)
      }
    }
  }

  return (unit) =>
    new Promise((resolve, reject) => {
      waiting.push({ unit, resolve, reject })
      if (!isWriting) void write()
    })
}

interface Entry {
  readonly unit: Unit
  readonly resolve: (refusal: Refusal | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The maximum size of a batch, in characters. */
const MAX_SIZE = 4 << 20
/** The maximum time to retry after a connection broke, in milliseconds. */
const PATIENCE = 10_000

/**
 * True if exactly these records exist, because an attempt whose response was lost has written them.
 */
async function isWritten(query: Query, { run, epoch, records }: Unit): Promise<boolean> {
  const rows = await query(
    `SELECT key, kind, value, time FROM @records JOIN @runs USING (run)
     WHERE run = $1 AND epoch = $2 AND (key, kind) IN (SELECT * FROM unnest($3::text[], $4::text[]))`,
    [run, epoch, records.map(({ key }) => key), records.map(({ kind }) => kind)],
  )
  const isSame = (row: Row, { key, kind, text, time }: EncodedRecord): boolean =>
    row['key'] === key &&
    row['kind'] === kind &&
    row['value'] === text &&
    Number(row['time']) === time
  return records.every((record) => rows.some((row) => isSame(row, record)))
}

/**
 * Appends units of different runs in one statement. Returns the reason for each refusal, or `again`
 * if something else changed in the meantime.
 */
async function appendUnits(
  query: Query,
  units: readonly Unit[],
): Promise<readonly (string | undefined)[]> {
  const rows = await query(APPEND, [
    ...columnsOf(units.map(unitRow), UNIT_COLUMNS.length),
    ...columnsOf(
      units.flatMap(({ records }, index) =>
        records.map(({ key, kind, text, time }, place) => [
          index + 1,
          place + 1,
          key,
          kind,
          text,
          time,
        ]),
      ),
      RECORD_COLUMNS.length,
    ),
  ])
  const refusals = new Map(rows.map(({ unit, refusal }) => [Number(unit), refusal]))
  return units.map((_, index) => (refusals.get(index + 1) as string | null) ?? undefined)
}

function columnsOf(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column]))
}

/** The columns of a unit, with the facts that its records add to the summary of their run. */
const UNIT_COLUMNS = [
  ['run', 'text'],
  ['epoch', 'bigint'],
  ['known', 'int'],
  ['count', 'int'],
  ['messages_read', 'int'],
  ['last', 'bigint'],
  ['decides', 'boolean'],
  ['reason', 'text'],
  ['turns', 'int'],
  ['prompt', 'text'],
  ['model', 'text'],
  ['owner', 'text'],
  ['host', 'text'],
  ['version', 'text'],
  ['folder', 'text'],
  ['protocol', 'text'],
  ['fork_run', 'text'],
  ['fork_turn', 'int'],
  ['input', 'double precision'],
  ['output', 'double precision'],
  ['cached', 'double precision'],
  ['reasoning', 'double precision'],
  ['cost', 'double precision'],
  ['estimated', 'boolean'],
] as const

const RECORD_COLUMNS = [
  ['unit', 'int'],
  ['place', 'int'],
  ['key', 'text'],
  ['kind', 'text'],
  ['value', 'text'],
  ['time', 'bigint'],
] as const

function unitRow({ run, epoch, known, records, messagesRead }: Unit): unknown[] {
  const totals = records.reduce<RunTotals>(
    (sum, record) => addFacts(sum, readRunFacts(record), record.kind),
    { usage: noUsage, turns: 0 },
  )
  const { usage, turns, reason, prompt, model, owner, host, version, folder, protocol, forkOf } =
    totals
  return [
    run,
    epoch,
    known,
    records.length,
    messagesRead,
    records.at(-1)?.time,
    records.some(({ kind }) => !FROM_OUTSIDE.includes(kind)),
    withoutNull(reason),
    turns,
    ...[prompt, model, owner, host, version, folder, protocol].map(withoutNull),
    withoutNull(forkOf?.run),
    forkOf && Math.min(forkOf.turn, MAX_INT),
    usage.input,
    usage.output,
    usage.cached,
    usage.reasoning,
    usage.cost,
    usage.estimated,
  ]
}

const MAX_INT = 2 ** 31 - 1

/** Replaces NUL, which Postgres cannot store in text. In records, it is escaped. */
export function withoutNull(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', '\ufffd')
}

/** A unit's changes to the row of its run, equivalent to `addFacts`. */
const SET = [
  'records = r.records + u.count',
  'last = u.last',
  // A new record is progress, so the attempts start over.
  'attempts = 0',
  'reason = CASE WHEN u.decides THEN u.reason ELSE r.reason END',
  'turns = r.turns + u.turns',
  ...['prompt', 'model', 'owner', 'fork_run', 'fork_turn'].map(
    (name) => `${name} = coalesce(r.${name}, u.${name})`,
  ),
  ...['host', 'version', 'folder', 'protocol', 'estimated'].map(
    (name) => `${name} = coalesce(u.${name}, r.${name})`,
  ),
  ...['input', 'output'].map((name) => `${name} = r.${name} + u.${name}`),
  ...['cached', 'reasoning', 'cost'].map(
    (name) => `${name} = coalesce(r.${name} + u.${name}, r.${name}, u.${name})`,
  ),
].join(', ')

function unnest(columns: readonly (readonly [string, string])[], first: number): string {
  return `unnest(${columns.map(([, type], index) => `$${first + index}::${type}[]`).join(', ')})`
}

function names(columns: readonly (readonly [string, string])[]): string {
  return columns.map(([name]) => name).join(', ')
}

/**
 * Conditions on the row of the run (the epoch, the messages, the number of records) are checked
 * again after waiting for its lock. If another process has inserted a record in the meantime, a
 * unique index is violated, and the statement has no effect.
 */
const APPEND = `
  WITH unit AS (
    SELECT * FROM ${unnest(UNIT_COLUMNS, 1)} WITH ORDINALITY AS u(${names(UNIT_COLUMNS)}, unit)
  ), record AS (
    SELECT * FROM ${unnest(RECORD_COLUMNS, UNIT_COLUMNS.length + 1)} AS x(${names(RECORD_COLUMNS)})
  ), taken AS (
    SELECT DISTINCT record.unit FROM record JOIN unit USING (unit) JOIN @records AS r
      ON r.run = unit.run AND r.key = record.key AND r.kind = record.kind
  ), held AS (
    UPDATE @runs AS r SET ${SET} FROM unit AS u
    WHERE r.run = u.run AND r.epoch = u.epoch AND r.records >= u.known AND (u.messages_read IS NULL OR r.messages <= u.messages_read)
      AND u.unit NOT IN (SELECT unit FROM taken)
    RETURNING u.unit, r.records - u.count AS before
  ), added AS (
    INSERT INTO @records (run, seq, key, kind, value, time)
    SELECT u.run, held.before + record.place, record.key, record.kind, record.value, record.time
    FROM held JOIN unit AS u USING (unit) JOIN record USING (unit)
  )
  SELECT u.unit, CASE WHEN held.unit IS NOT NULL THEN NULL
    WHEN r.epoch IS DISTINCT FROM u.epoch THEN 'lost'
    WHEN r.records < u.known THEN 'behind'
    WHEN r.messages > u.messages_read THEN 'unread'
    WHEN taken.unit IS NOT NULL THEN 'taken'
    ELSE 'again' END AS refusal
  FROM unit AS u LEFT JOIN held USING (unit) LEFT JOIN taken USING (unit) LEFT JOIN @runs AS r ON r.run = u.run`
