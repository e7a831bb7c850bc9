import { JournalError } from '@toolglot/agent/journal'
import { type Database, type DatabaseOptions, openDatabase, type Query } from './database.ts'
import { codeOf, toJournalError } from './journal-error.ts'

/**
 * What runs are searched for, apart from the runs: those change with every record, and each change would be indexed again. The
 * index belongs to an extension that comes with Postgres. Where that cannot be created, searching reads the whole table.
 */
const SEARCH: readonly string[] = [
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
  `INSERT INTO @searches SELECT run, lower(concat_ws(chr(10), run, name, prompt, model)) FROM @runs`,
  `DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    EXECUTE format('CREATE INDEX searches_text ON @searches USING gin (text %s.gin_trgm_ops)',
      (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm'));
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN NULL;
  END $$`,
]

/** SQL for the words of a text, and what is before the first and after the last one. */
export function wordsOf(text: string): string {
  return `regexp_split_to_array(${text}, '[^[:alnum:]]+')`
}

/** The statements that upgrade the journal to each version. Released versions are never changed. */
const VERSIONS: readonly (readonly string[])[] = [
  [
    // The processes that hold runs. A lease is a time by the database's clock.
    `CREATE TABLE @holders (
      holder text PRIMARY KEY,
      name text NOT NULL,
      renewed timestamptz NOT NULL,
      lease interval NOT NULL
    )`,
    // Texts, not jsonb, which refuses \\u0000. The number orders runs that were active in the same millisecond.
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
    // The version of the tables, and when old runs were last deleted.
    'CREATE TABLE @upkeep (version int NOT NULL, pruned timestamptz)',
    'INSERT INTO @upkeep VALUES (0)',
  ],
  [
    // Empty: it was begun without one.
    `ALTER TABLE @runs ADD COLUMN version text COLLATE "C" NOT NULL DEFAULT ''`,
    // What each process counts, for monitoring.
    `ALTER TABLE @holders ADD COLUMN counts text NOT NULL DEFAULT '{}'`,
    // What servers share besides runs: tokens and logins, of which only digests are kept, and answers of the gateway.
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
    ...SEARCH,
  ],
  [
    // The three characters that are rarest in a text, such as those of a number, may still be in many runs; whole words rarely
    // are. Only in one index with them are the former not read as a whole.
    'DROP INDEX IF EXISTS @searches_text',
    `DO $$ BEGIN
      EXECUTE format('CREATE INDEX searches_text ON @searches USING gin (%s %s)',
        (SELECT format('text %s.gin_trgm_ops,', extnamespace::regnamespace) FROM pg_extension WHERE extname = 'pg_trgm'),
        $words$${wordsOf('text')}$words$);
    END $$`,
  ],
]

/** From which version to which a journal was upgraded; 0 if there was none. */
export interface Migration {
  readonly from: number
  readonly to: number
}

/**
 * Creates the tables of a journal, or upgrades those of an older version. It is a step of its own, since it locks the tables:
 * if runs are being recorded, it waits for at most five seconds, and then fails without having changed anything.
 */
export async function migrateJournal(
  options: Pick<DatabaseOptions, 'url' | 'schema'>,
): Promise<Migration> {
  const { schema = 'toolglot' } = options
  const database = openDatabase({ ...options, maxConnections: 1 })
  try {
    return await database.transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = '5s'`)
      // One at a time, whichever schema: creating schemas at once fails.
      await query(`SELECT pg_advisory_xact_lock(hashtext('toolglot journal migrate'))`)
      await query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      const from = await versionOf(query, schema)
      if (from > VERSIONS.length) throw newerError(database.place, from)
      const statements = VERSIONS.slice(from).flat()
      for (const statement of statements) await query(statement)
      if (statements.length > 0) await query('UPDATE @upkeep SET version = $1', [VERSIONS.length])
      return { from, to: VERSIONS.length }
    })
  } catch (error) {
    if (codeOf(error) !== '55P03') throw toJournalError(error, database.place)
    throw new JournalError(
      'busy',
      `The journal at ${database.place} is in use, so nothing was changed. Try again, or stop the workers first.`,
      { cause: error },
    )
  } finally {
    await database.close()
  }
}

/** Fails unless the tables are of the version that this program knows. */
export async function checkVersion({ query, place }: Database): Promise<void> {
  const [row] = await query('SELECT version FROM @upkeep')
  const version = Number(row?.['version'])
  if (version > VERSIONS.length) throw newerError(place, version)
  if (version < VERSIONS.length)
    throw new JournalError(
      'failed',
      `The journal at ${place} is of version ${version}, and this toolglot needs ${VERSIONS.length}. Upgrade it with: toolglot journal migrate URL`,
    )
}

async function versionOf(query: Query, schema: string): Promise<number> {
  const [found] = await query('SELECT to_regclass($1) AS upkeep', [`"${schema}".upkeep`])
  if (found?.['upkeep'] === null) return 0
  const [row] = await query('SELECT version FROM @upkeep')
  return Number(row?.['version'])
}

function newerError(place: string, version: number): JournalError {
  return new JournalError(
    'newer',
    `The journal at ${place} was created by a newer toolglot (version ${version}; this one knows ${VERSIONS.length}). Use that one, or choose another database.`,
  )
}
