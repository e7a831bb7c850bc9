import { JournalError } from '@toolglot/agent/journal'
import { JOURNAL_VERSION } from '@toolglot/agent/journal/internal'
import { type Database, type DatabaseOptions, openDatabase, type Query } from './database.ts'
import { codeOf, toJournalError } from './journal-error.ts'
import { IS_ALIVE } from './lease.ts'

const TABLES: readonly string[] = [
  // The processes that hold runs. Leases use the database's clock. `counts` is for monitoring.
  `CREATE TABLE @holders (
    holder text PRIMARY KEY,
    name text NOT NULL,
    renewed timestamptz NOT NULL,
    lease interval NOT NULL,
    counts text NOT NULL DEFAULT '{}'
  )`,
  // Values are text because jsonb rejects \\u0000. The number orders runs that were active in the
  // same millisecond. The version is that of the user's program, or empty if the run was started
  // without one.
  `CREATE TABLE @runs (
    run text COLLATE "C" PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    name text,
    prompt text,
    model text,
    folder text,
    protocol text,
    owner text,
    host text COLLATE "C" NOT NULL DEFAULT '',
    version text COLLATE "C" NOT NULL DEFAULT '',
    fork_run text,
    fork_turn int,
    input double precision NOT NULL DEFAULT 0,
    output double precision NOT NULL DEFAULT 0,
    cached double precision,
    reasoning double precision,
    cost double precision,
    estimated boolean,
    started bigint NOT NULL,
    last bigint NOT NULL,
    records int NOT NULL DEFAULT 0,
    messages int NOT NULL DEFAULT 0,
    turns int NOT NULL DEFAULT 0,
    reason text,
    imported boolean NOT NULL DEFAULT false,
    holder text COLLATE "C",
    epoch bigint NOT NULL DEFAULT 0,
    driven boolean NOT NULL DEFAULT false,
    due timestamptz,
    attempts int NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX runs_last ON @runs (last DESC, number DESC)',
  'CREATE INDEX runs_owner ON @runs (owner, last DESC, number DESC)',
  'CREATE INDEX runs_folder ON @runs (folder, last DESC, number DESC)',
  'CREATE INDEX runs_open ON @runs (run) WHERE reason IS NULL',
  'CREATE INDEX runs_held ON @runs (holder) WHERE holder IS NOT NULL',
  `CREATE INDEX runs_due ON @runs ((coalesce(owner, '') COLLATE "C"), host, due) WHERE due IS NOT NULL`,
  `CREATE TABLE @records (
    run text COLLATE "C" NOT NULL REFERENCES @runs (run) ON DELETE CASCADE,
    seq int NOT NULL,
    key text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    value text NOT NULL,
    time bigint NOT NULL,
    PRIMARY KEY (run, seq),
    UNIQUE (run, key, kind)
  )`,
  `CREATE INDEX records_waits ON @records (run, key) WHERE kind = 'wait'`,
  // Values other than runs that servers share: digests of tokens and logins, and responses of the
  // gateway.
  `CREATE TABLE @shared (
    space text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text NOT NULL,
    size int NOT NULL,
    used timestamptz NOT NULL,
    expires timestamptz NOT NULL,
    PRIMARY KEY (space, owner, key)
  )`,
  'CREATE INDEX shared_used ON @shared (space, owner, used)',
  'CREATE INDEX shared_expires ON @shared (expires)',
  // The text for searching runs. If it were in the table of runs, every new record would index it
  // again.
  `CREATE TABLE @searches (
    run text COLLATE "C" PRIMARY KEY REFERENCES @runs (run) ON DELETE CASCADE,
    text text NOT NULL
  )`,
  `CREATE FUNCTION @update_search() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO @searches VALUES (NEW.run, lower(concat_ws(chr(10), NEW.run, NEW.name, NEW.prompt, NEW.model)))
    ON CONFLICT (run) DO UPDATE SET text = excluded.text;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER created_search AFTER INSERT ON @runs FOR EACH ROW EXECUTE FUNCTION @update_search()`,
  `CREATE TRIGGER updated_search AFTER UPDATE ON @runs FOR EACH ROW
   WHEN ((OLD.name, OLD.prompt, OLD.model) IS DISTINCT FROM (NEW.name, NEW.prompt, NEW.model))
   EXECUTE FUNCTION @update_search()`,
  // Finds parts of words. The extension is part of Postgres. Where it cannot be created, a search
  // without a whole word reads the whole table.
  `DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN NULL;
  END $$`,
  // Even the three rarest characters of a search text, such as those of a number, may occur in many
  // runs, whereas whole words rarely do. Both are in one index, because in separate indexes the
  // many entries for the characters would be read completely.
  `DO $$ BEGIN
    EXECUTE format('CREATE INDEX searches_text ON @searches USING gin (%s %s)',
      (SELECT format('text %s.gin_trgm_ops,', extnamespace::regnamespace) FROM pg_extension WHERE extname = 'pg_trgm'),
      $words$${wordsOf('text')}$words$);
  END $$`,
  // The version of the tables, and the time when old runs were last deleted.
  'CREATE TABLE @upkeep (version int NOT NULL, pruned timestamptz)',
  `INSERT INTO @upkeep VALUES (${JOURNAL_VERSION})`,
]

/** SQL for the words in a text, including the incomplete ones at the start and end. */
export function wordsOf(text: string): string {
  return `regexp_split_to_array(${text}, '[^[:alnum:]]+')`
}

/** The previous version of the journal (0 if there was none) and the current version. */
export interface Migration {
  readonly from: number
  readonly to: number
  /** The schema to which the journal of another version was moved, if there was one. */
  readonly movedTo?: string
}

/**
 * Creates the tables of a journal. Tables of another version are first moved to another schema of
 * the database, unless a process is using them.
 */
export async function migrateJournal(
  options: Pick<DatabaseOptions, 'url' | 'schema'>,
): Promise<Migration> {
  const database = openDatabase({ ...options, maxConnections: 1 })
  try {
    return await createTables(database, options.schema)
  } catch (error) {
    throw toJournalError(error, database.place)
  } finally {
    await database.close()
  }
}

/**
 * Fails if there are no tables. Those of another version are moved aside, and new ones are created.
 */
export async function checkVersion(
  database: Database,
  schema: string | undefined,
  warn: (message: string) => void,
): Promise<void> {
  const [row] = await database.query('SELECT version FROM @upkeep')
  if (Number(row?.['version']) === JOURNAL_VERSION) return
  const { from, movedTo } = await createTables(database, schema)
  // If nothing was moved, another process was faster.
  if (movedTo !== undefined)
    warn(
      `The journal at ${database.place} has version ${from}, but this toolglot uses version ${JOURNAL_VERSION}, so it was moved to the schema ${movedTo} and a new one was started; nothing was deleted.`,
    )
}

async function createTables(
  { transaction, place }: Database,
  schema = 'toolglot',
): Promise<Migration> {
  try {
    return await transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = '5s'`)
      // Only one process migrates at a time, across all schemas, because creating schemas
      // concurrently fails.
      await query(`SELECT pg_advisory_xact_lock(hashtext('toolglot journal migrate'))`)
      await query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      const from = await versionOf(query, schema)
      if (from === JOURNAL_VERSION) return { from, to: from }
      const movedTo = from === undefined ? undefined : await moveAside(query, schema, from)
      if (movedTo !== undefined) await query(`CREATE SCHEMA "${schema}"`)
      for (const statement of TABLES) await query(statement)
      return {
        from: from ?? 0,
        to: JOURNAL_VERSION,
        ...(movedTo !== undefined && { movedTo }),
      }
    })
  } catch (error) {
    if (codeOf(error) !== '55P03') throw error
    throw new JournalError(
      'busy',
      `The journal at ${place} is in use, so nothing was changed. Try again, or stop the workers first.`,
      { cause: error },
    )
  }

  async function moveAside(query: Query, from: string, version: number): Promise<string> {
    const alive = await query(`SELECT 1 FROM @holders AS h WHERE ${IS_ALIVE} LIMIT 1`)
    if (alive.length > 0)
      throw new JournalError(
        'busy',
        `The journal at ${place} has version ${version}, but this toolglot uses version ${JOURNAL_VERSION}, and other processes are using it, so nothing was changed. Stop them, then try again.`,
      )
    for (let number = 1; ; number++) {
      const name = `${from}_version_${version}${number === 1 ? '' : `_${number}`}`
      const taken = await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [name])
      if (taken.length > 0) continue
      await query(`ALTER SCHEMA "${from}" RENAME TO "${name}"`)
      return name
    }
  }
}

async function versionOf(query: Query, schema: string): Promise<number | undefined> {
  const [found] = await query('SELECT to_regclass($1) AS upkeep', [`"${schema}".upkeep`])
  if (found?.['upkeep'] === null) return undefined
  const [row] = await query('SELECT version FROM @upkeep')
  return Number(row?.['version'])
}
