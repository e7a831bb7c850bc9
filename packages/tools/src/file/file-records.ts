import type { FileFacts, Files } from '../host/files.ts'

/** What a run knows about a file that it has read or written. */
export interface FileRecord {
  readonly facts: FileFacts
  /** Hash of the whole content; undefined if the file is too large. */
  readonly hash?: string
  /** The line ranges that were shown. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** Whether the model has seen the whole file, and it is still in its context. */
  readonly whole: boolean
  /** The given or detected encoding, if the file has no byte order mark. */
  readonly encoding?: string
}

/** The files that a run has read or written, by real path. */
export type FileRecords = Map<string, FileRecord>

// Only the most recent runs, and the most recent files of each, are remembered.
const MAX_RUNS = 100
const MAX_FILES = 10_000

const records = new WeakMap<Files, Map<string, FileRecords>>()

/** The records of one run; calls outside any run share theirs. */
export function recordsOf(files: Files, run = ''): FileRecords {
  const runs = records.get(files) ?? new Map<string, FileRecords>()
  records.set(files, runs)
  const known = runs.get(run) ?? new Map<string, FileRecord>()
  touch(runs, run, known, MAX_RUNS)
  return known
}

/** Adds or replaces a file's record, and drops the oldest if there are too many. */
export function rememberFile(known: FileRecords, path: string, record: FileRecord): void {
  touch(known, path, record, MAX_FILES)
}

/** Call this when what the model read is no longer in its context, as after a compaction: Read shows it again. */
export function forgetShown(files: Files, run?: string): void {
  const known = recordsOf(files, run)
  for (const [path, record] of known) known.set(path, { ...record, whole: false })
}

function touch<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}
