import { join } from 'node:path'
import { stopping } from './stopping.ts'

/** Something that takes time to open, and that is closed after use. */
export interface Closable {
  close(): Promise<void>
}

/** How things are kept open. */
export interface IdlePoolOptions {
  /** How long something stays open that nobody uses, in milliseconds. */
  readonly idle: number
  /** How many things stay open that nobody uses. */
  readonly max: number
  /** Called with what closing threw. */
  readonly onError: (error: unknown) => void
}

/** The thing in use, by its key and folder. */
export interface PoolPlace {
  /** Everything used with the same key is the same thing. */
  readonly key: string
  /** The real path of the folder whose settings it was opened with. */
  readonly folder: string
  /** If it differs from the one it was opened with, the thing is opened again; the old one closes when nobody uses it. */
  readonly version: string
}

/** Keeps things open between uses. */
export interface IdlePool<Thing extends Closable> {
  /** Uses what is open, or opens it. Throws an HttpError once the pool is closed. */
  use<Result>(
    place: PoolPlace,
    open: () => Promise<Thing>,
    work: (thing: Thing) => Promise<Result>,
  ): Promise<Result>
  /** Closes the thing with this key once it is unused, or at once if it already is. */
  drop(key: string): Promise<void>
  /** Does the same with everything that was opened with the settings of this folder, or of one inside it. */
  dropInside(folder: string): Promise<void>
  /** Waits until nothing is in use, and closes everything. */
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

/** Creates a pool of things that stay open between uses. */
export function createIdlePool<Thing extends Closable>({
  idle,
  max,
  onError,
}: IdlePoolOptions): IdlePool<Thing> {
  /** The one that was used last is at the end. */
  const entries = new Map<string, Entry<Thing>>()
  const closing = new Set<Promise<void>>()
  const working = new Set<Promise<unknown>>()
  let isClosed = false

  const close = ({ thing, timer }: Entry<Thing>): Promise<void> => {
    clearTimeout(timer)
    const done = thing
      // If it never opened, there is nothing to close, and its user got the error.
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
        // It is opened again next time.
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
      // The most recently used is dropped last.
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
      // `join` adds no second slash to the root.
      const inside = [...entries].filter(([, entry]) =>
        join(entry.folder, '/').startsWith(join(folder, '/')),
      )
      await Promise.all(inside.map(([key, entry]) => drop(key, entry)))
    },
    async close() {
      isClosed = true
      await Promise.all([...entries].map(([key, entry]) => drop(key, entry)))
      // Something that was replaced or dropped may also be in use.
      await Promise.allSettled(working)
      await Promise.all(closing)
    },
  }
}
