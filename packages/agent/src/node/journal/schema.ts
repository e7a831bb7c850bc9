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
]

/**
 * Commits survive a power failure (`synchronous = FULL`), deleted data is overwritten, and corrupt pages are detected
 * when they are read.
 */
export const SETUP = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;`

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
