import type { FileFacts, Files } from '../host/files.ts'

/** What a run knows of a file. */
export interface FileRecord {
  readonly facts: FileFacts
  /** Of all its bytes; undefined if they were too many. */
  readonly hash?: string
  /** The lines that were shown, first and last. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** The model has seen it as a whole, and it is in its context still. */
  readonly whole: boolean
  /** The encoding that was told or found, if it has no mark. */
  readonly encoding?: string
}

/** The files a run has read or written, by their real path. */
export type FileRecords = Map<string, FileRecord>

/** How many runs, and files in each, are remembered: those that came last. */
const MAX_RUNS = 100
const MAX_FILES = 10_000

const records = new WeakMap<Files, Map<string, FileRecords>>()

/** What one run knows; calls that belong to no run share what they know. */
export function recordsOf(files: Files, run = ''): FileRecords {
  const runs = records.get(files) ?? new Map<string, FileRecords>()
  records.set(files, runs)
  const known = runs.get(run) ?? new Map<string, FileRecord>()
  touch(runs, run, known, MAX_RUNS)
  return known
}

export function remember(known: FileRecords, path: string, record: FileRecord): void {
  touch(known, path, record, MAX_FILES)
}

/** The model no longer sees what it read before, as after a compaction: the next Read shows all again. */
export function forgetShown(files: Files, run?: string): void {
  const known = recordsOf(files, run)
  for (const [path, record] of known) known.set(path, { ...record, whole: false })
}

function touch<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) break
    map.delete(oldest)
  }
}
