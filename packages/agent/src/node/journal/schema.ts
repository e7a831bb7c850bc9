import type { Statement, DatabaseThread } from './database-thread.ts'
import { JournalError } from '../../journal/journal.ts'

/** The statements that upgrade the journal to each version. Released versions are never changed. */
export const VERSIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE runs (
      run TEXT PRIMARY KEY,
      name TEXT,
      prompt TEXT,
      model TEXT,
      started INTEGER NOT NULL,
      last INTEGER NOT NULL,
      records INTEGER NOT NULL DEFAULT 0,
      turns INTEGER NOT NULL DEFAULT 0,
      reason TEXT,
      imported INTEGER NOT NULL DEFAULT 0,
      damage TEXT,
      holder TEXT
    ) STRICT`,
    'CREATE INDEX runs_last ON runs (last)',
    `CREATE TABLE records (
      run TEXT NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      key TEXT NOT NULL,
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      time INTEGER NOT NULL,
      digest TEXT NOT NULL,
      UNIQUE (run, seq),
      UNIQUE (run, key, kind)
    ) STRICT`,
    "CREATE INDEX records_waits ON records (run, key) WHERE kind = 'wait'",
  ],
  [
    ...['folder TEXT', 'protocol TEXT', 'owner TEXT', 'fork_run TEXT', 'fork_turn INTEGER'].map(
      addColumn,
    ),
    ...['input REAL NOT NULL DEFAULT 0', 'output REAL NOT NULL DEFAULT 0'].map(addColumn),
    ...['cached REAL', 'reasoning REAL', 'cost REAL', 'estimated INTEGER'].map(addColumn),
    'CREATE INDEX runs_open ON runs (run) WHERE reason IS NULL',
    `UPDATE runs SET folder = ${latestSetup('cwd', 4096)}, protocol = ${latestSetup('protocol', 200)}`,
    `UPDATE runs SET input = total.input, output = total.output, cached = total.cached,
      reasoning = total.reasoning, cost = total.cost, estimated = total.estimated
      FROM (SELECT run, total(${usage('input')}) AS input, total(${usage('output')}) AS output,
        sum(${usage('cached')}) AS cached, sum(${usage('reasoning')}) AS reasoning, sum(${usage('cost')}) AS cost,
        max(iif(json_type(usage, '$.estimated') = 'true', 1, NULL)) AS estimated
        FROM (SELECT run, iif(json_valid(value), value, 'null') -> '$.usage' AS usage FROM records
          WHERE kind = 'value' AND (key GLOB 'compact/?*/summary'
            OR (key GLOB 'turn/?*' AND ltrim(substr(key, 6), '0123456789') = '')
            OR (key GLOB 'final/?*' AND ltrim(substr(key, 7), '0123456789') = '')))
        GROUP BY run) AS total
      WHERE total.run = runs.run`,
    // The version that created the journal, and when it was last pruned by itself.
    'CREATE TABLE upkeep (created_by INTEGER NOT NULL, pruned INTEGER NOT NULL) STRICT',
    'INSERT INTO upkeep SELECT iif(user_version = 0, 2, 1), 0 FROM pragma_user_version',
  ],
]

function addColumn(column: string): string {
  return `ALTER TABLE runs ADD COLUMN ${column}`
}

/** Selects a text of the latest setup of a run that has it. A damaged record has none. */
function latestSetup(field: string, maxLength: number): string {
  const value = `iif(json_valid(value), value, 'null')`
  return `(SELECT json_extract(${value}, '$.${field}') FROM records WHERE records.run = runs.run AND kind = 'value'
    AND (key = 'run' OR (key GLOB 'run/?*' AND ltrim(substr(key, 5), '0123456789') = ''))
    AND json_type(${value}, '$.${field}') = 'text' AND length(json_extract(${value}, '$.${field}')) <= ${maxLength}
    ORDER BY seq DESC LIMIT 1)`
}

/** Selects a number of a usage. */
function usage(field: string): string {
  const value = `json_extract(usage, '$.${field}')`
  return `iif(json_type(usage, '$.${field}') IN ('integer', 'real')
    AND ${value} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}, ${value}, NULL)`
}

/**
 * Commits survive a power failure (`synchronous = FULL`), deleted data is overwritten, corrupt pages are detected when they
 * are read, and the log does not stay large after a large transaction.
 */
export const SETUP = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA journal_size_limit = 8388608;`

/** Upgrades an older journal in one transaction: a killed upgrade leaves the old version. */
export async function upgrade(
  thread: DatabaseThread,
  file: string,
  versions: readonly (readonly string[])[] = VERSIONS,
): Promise<void> {
  const version = await versionOf(thread)
  if (version > versions.length) {
    throw new JournalError(
      'newer',
      `The journal ${file} was written by a newer toolglot (version ${version}; this one knows ${versions.length}). Use that one, or choose another file.`,
    )
  }
  if (version === versions.length) return
  const unit: Statement[] = versions
    .slice(version)
    .flatMap((statements) => statements.map((sql) => ({ sql })))
  try {
    await thread.commit([...unit, { sql: `PRAGMA user_version = ${versions.length}` }])
  } catch (error) {
    // Another process may have upgraded it in the meantime.
    if ((await versionOf(thread)) !== versions.length) throw error
  }
}

async function versionOf(thread: DatabaseThread): Promise<number> {
  const [row] = await thread.all({ sql: 'PRAGMA user_version' })
  return Number(row?.['user_version'])
}
