import { type DatabaseThread, SqliteError } from './database-thread.ts'

/** How space is returned. */
export interface ReturnSpaceOptions {
  /** Whether an old journal may be rewritten: nobody can record meanwhile. */
  readonly convert: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the space of deleted runs to the file system, in slices, so that others can record in between. If that fails, the
 * space is used by later runs or returned next time.
 */
export async function returnSpace(
  thread: DatabaseThread,
  options: ReturnSpaceOptions,
): Promise<void> {
  try {
    await shrink(thread, options)
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
  }
}

async function shrink(
  thread: DatabaseThread,
  { convert, signal }: ReturnSpaceOptions,
): Promise<void> {
  const [row] = await thread.all({
    sql: `SELECT auto_vacuum, freelist_count AS free, page_count AS pages, page_size AS size
      FROM pragma_auto_vacuum, pragma_freelist_count, pragma_page_count, pragma_page_size`,
  })
  const [free, pages, size] = [row?.['free'], row?.['pages'], row?.['size']].map(Number) as Numbers
  if (free === 0) return
  if (row?.['auto_vacuum'] === 0) {
    if (!convert || !isWorthRewriting(free * size, pages * size)) return
    await thread.execute('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
  } else {
    for (let left = free; left > 0; left -= SLICE_PAGES) {
      if (signal?.aborted) return
      await thread.execute(`PRAGMA incremental_vacuum(${SLICE_PAGES})`)
    }
  }
  // The file shrinks when the log is copied into it. If others are busy, that happens later.
  await thread.execute('PRAGMA wal_checkpoint(TRUNCATE)', 500)
}

type Numbers = [free: number, pages: number, size: number]

const SLICE_PAGES = 256

/**
 * A journal of version 1 can only be shrunk by rewriting it, in memory and in one transaction. It is worth that once, if
 * a quarter of it and at least 1 MiB is free, and if what is left is small enough that others need not wait for long.
 * Otherwise its free space is used by later runs.
 */
function isWorthRewriting(free: number, all: number): boolean {
  return free >= 1 << 20 && free >= all / 4 && all - free <= 256 << 20
}
