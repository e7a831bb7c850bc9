import { join } from 'node:path'
import { stopping } from './stopping.ts'

/** A resource that takes time to open and is closed after use. */
export interface Closable {
  close(): Promise<void>
}

/** Options for an idle pool. */
export interface IdlePoolOptions {
  /** The idle time before a resource is closed, in milliseconds. */
  readonly idle: number
  /** The maximum number of idle resources. */
  readonly max: number
  /** Called with errors from closing. */
  readonly onError: (error: unknown) => void
}

/** The key, the folder and the version of a resource. */
export interface PoolPlace {
  /** Uses with the same key share one resource. */
  readonly key: string
  /** The real path of the folder whose settings the resource depends on. */
  readonly folder: string
  /**
   * If it differs from the open resource's version, a new one is opened; the old one closes once it
   * is unused.
   */
  readonly version: string
}

/** Keeps resources open between uses. */
export interface IdlePool<Thing extends Closable> {
  /** Uses an open resource, or opens it. Throws an HttpError once the pool is closed. */
  use<Result>(
    place: PoolPlace,
    open: () => Promise<Thing>,
    work: (thing: Thing) => Promise<Result>,
  ): Promise<Result>
  /** Closes the resource with this key as soon as it is unused. */
  drop(key: string): Promise<void>
  /**
   * Closes all resources that depend on this folder or one inside it, as soon as they are unused.
   */
  dropInside(folder: string): Promise<void>
  /** Waits until no resource is in use, then closes all of them. */
  close(): Promise<void>
}

interface Entry<Thing> {
  readonly folder: string
  readonly version: string
  readonly thing: Promise<Thing>
  users: number
  isDropped: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Creates a pool of resources that stay open between uses. */
export function createIdlePool<Thing extends Closable>({
  idle,
  max,
  onError,
}: IdlePoolOptions): IdlePool<Thing> {
  /** In order of use, the most recent last. */
  const entries = new Map<string, Entry<Thing>>()
  const closing = new Set<Promise<void>>()
  const working = new Set<Promise<unknown>>()
  let isClosed = false

  const close = ({ thing, timer }: Entry<Thing>): Promise<void> => {
    clearTimeout(timer)
    const done = thing
      // If opening failed, there is nothing to close, and the user of the resource got the error.
      .then(
        (opened) => opened.close().catch(onError),
        () => {},
      )
      .finally(() => closing.delete(done))
    closing.add(done)
    return done
  }
  const drop = async (key: string, entry: Entry<Thing>): Promise<void> => {
    if (entries.get(key) === entry) entries.delete(key)
    if (entry.isDropped) return
    entry.isDropped = true
    if (entry.users === 0) await close(entry)
  }
  const dropOldest = (): void => {
    const unused = [...entries].filter(([, { users }]) => users === 0)
    for (const [key, entry] of unused.slice(0, Math.max(0, unused.length - max)))
      void drop(key, entry)
  }

  async function use<Result>(
    key: string,
    current: Entry<Thing>,
    work: (thing: Thing) => Promise<Result>,
  ): Promise<Result> {
    clearTimeout(current.timer)
    current.users++
    try {
      const thing = await current.thing.catch((error: unknown) => {
        // The next use opens a new one.
        current.isDropped = true
        if (entries.get(key) === current) entries.delete(key)
        throw error
      })
      return await work(thing)
    } finally {
      current.users--
      if (current.users === 0 && entries.get(key) === current) {
        current.timer = setTimeout(() => void drop(key, current), idle)
        current.timer.unref()
        dropOldest()
      } else if (current.users === 0 && current.isDropped) {
        await close(current)
      }
    }
  }

  return {
    async use({ key, folder, version }, open, work) {
      if (isClosed) throw stopping()
      let entry = entries.get(key)
      if (entry && entry.version !== version) {
        void drop(key, entry)
        entry = undefined
      }
      entry ??= { folder, version, thing: open(), users: 0, isDropped: false, timer: undefined }
      // Moved to the end, so that the most recently used is dropped last.
      entries.delete(key)
      entries.set(key, entry)
      const done = use(key, entry, work).finally(() => working.delete(done))
      working.add(done)
      return done
    },
    async drop(key) {
      const entry = entries.get(key)
      if (entry) await drop(key, entry)
    },
    async dropInside(folder) {
      // `join` doesn't add a second slash to the root.
      const inside = [...entries].filter(([, entry]) =>
        join(entry.folder, '/').startsWith(join(folder, '/')),
      )
      await Promise.all(inside.map(([key, entry]) => drop(key, entry)))
    },
    async close() {
      isClosed = true
      await Promise.all([...entries].map(([key, entry]) => drop(key, entry)))
      // Replaced or dropped resources may also be in use.
      await Promise.allSettled(working)
      await Promise.all(closing)
    },
  }
}
