import { JOURNAL_VERSION } from '../../journal/storage.ts'
import type { DatabaseThread } from './database-thread.ts'

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

const TABLES = [
  `CREATE TABLE runs (
    run TEXT PRIMARY KEY,
    name TEXT,
    prompt TEXT,
    model TEXT,
    folder TEXT,
    protocol TEXT,
    owner TEXT,
    fork_run TEXT,
    fork_turn INTEGER,
    input REAL NOT NULL DEFAULT 0,
    output REAL NOT NULL DEFAULT 0,
    cached REAL,
    reasoning REAL,
    cost REAL,
    estimated INTEGER,
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
  'CREATE INDEX runs_open ON runs (run) WHERE reason IS NULL',
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
  // When old runs were last deleted in the background.
  'CREATE TABLE upkeep (pruned INTEGER NOT NULL) STRICT',
  'INSERT INTO upkeep VALUES (0)',
  `PRAGMA user_version = ${JOURNAL_VERSION}`,
]

/** Creates the tables of a journal in an empty database. */
export function createTables(thread: DatabaseThread): Promise<void> {
  return thread.commit(TABLES.map((sql) => ({ sql })))
}
