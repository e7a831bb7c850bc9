import type { ToolContext } from '@toolglot/agent'
import { z } from 'zod'
import type { Files, FileVersion } from '../host/files.ts'

/** A run's record of a file that it has read or written. */
export interface FileRecord {
  readonly version: FileVersion
  /** Hash of the whole content; undefined if the file is too large. */
  readonly hash?: string
  /**
   * The number of its lines, if the model has seen all of them and they are still in its context.
   */
  readonly lines?: number
  /** The given or detected encoding, if the file has no byte order mark. */
  readonly encoding?: string
}

/** The files that a run has read or written, by real path. */
export interface FileRecords {
  get(path: string): FileRecord | undefined
  /**
   * Adds or replaces a file's record, and drops the oldest if there are too many. The run stores
   * it.
   */
  set(path: string, record: FileRecord): void
}

// Only the most recent runs, and the most recent files of each run, are kept in memory.
const MAX_RUNS = 100
const MAX_FILES = 10_000

const records = new WeakMap<Files, Map<string, Map<string, FileRecord>>>()

/** The records of one run; calls outside any run share theirs. */
export function recordsOf(
  files: Files,
  { run, remember }: Pick<ToolContext, 'run' | 'remember'>,
): FileRecords {
  const known = knownTo(files, run)
  return {
    get: (path) => known.get(path),
    set(path, record) {
      touch(known, path, record, MAX_FILES)
      remember?.(`${KEY}${path}`, toJson(record))
    },
  }
}

/** Restores the records of a run from its stored data. */
export function resumeRecords(
  files: Files,
  run: string,
  remembered: ReadonlyMap<string, unknown>,
): void {
  const known = knownTo(files, run)
  for (const [key, value] of remembered) {
    const read = key.startsWith(KEY) ? stored.safeParse(value) : undefined
    if (read?.success) touch(known, key.slice(KEY.length), fromJson(read.data), MAX_FILES)
  }
}

/**
 * Call this when text that the model read has left its context, for example after compaction: Read
 * then shows it again.
 */
export function forgetShown(files: Files, run?: string): void {
  const known = knownTo(files, run)
  for (const [path, { lines: _, ...rest }] of known) known.set(path, rest)
}

function knownTo(files: Files, run = ''): Map<string, FileRecord> {
  const runs = records.get(files) ?? new Map<string, Map<string, FileRecord>>()
  records.set(files, runs)
  const known = runs.get(run) ?? new Map<string, FileRecord>()
  touch(runs, run, known, MAX_RUNS)
  return known
}

function touch<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}

const KEY = 'file:'

/** A record as stored by the run. */
const stored = z.object({
  id: z.string(),
  size: z.int().min(0),
  /** The modification time, in nanoseconds since 1970. */
  modified: z.string().regex(/^-?\d{1,30}$/),
  hash: z.string().optional(),
  lines: z.int().min(0).optional(),
  encoding: z.string().optional(),
})

type StoredRecord = z.infer<typeof stored>

function toJson({ version: { id, size, mtimeNs }, ...rest }: FileRecord): StoredRecord {
  return { id, size, modified: String(mtimeNs), ...rest }
}

function fromJson({ id, size, modified, hash, lines, encoding }: StoredRecord): FileRecord {
  return {
    version: { id, kind: 'file', size, mtimeNs: BigInt(modified) },
    hash,
    lines,
    encoding,
  }
}
