import type { Feed } from './feed.ts'

/** What is called when something becomes of a run. */
export interface FeedListener {
  /** There is another execution, or none any more. */
  changed(): void
  /** The run was deleted. */
  deleted(): void
}

/** The feeds of the runs that this server executes, and those who follow them. */
export interface Feeds {
  get(run: string): Feed | undefined
  set(run: string, feed: Feed): void
  /** There is no execution any more. */
  end(run: string): void
  /** The run was deleted. */
  remove(run: string): void
  /** Calls back when something becomes of a run. Returns how to stop that. */
  watch(run: string, listener: FeedListener): () => void
  /** Calls back when there is another event, or another execution. Returns how to stop that. */
  onEvent(run: string, listener: () => void): () => void
}

/** Creates the feeds of a server. */
export function createFeeds(): Feeds {
  const feeds = new Map<string, Feed>()
  const followers = new Map<string, Set<FeedListener>>()
  const tell = (run: string, what: keyof FeedListener): void => {
    for (const listener of followers.get(run) ?? []) listener[what]()
  }
  const watch: Feeds['watch'] = (run, listener) => {
    const listeners = followers.get(run) ?? new Set<FeedListener>()
    followers.set(run, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && followers.get(run) === listeners) followers.delete(run)
    }
  }
  return {
    get: (run) => feeds.get(run),
    set(run, feed) {
      feeds.set(run, feed)
      tell(run, 'changed')
    },
    end(run) {
      feeds.delete(run)
      tell(run, 'changed')
    },
    remove: (run) => tell(run, 'deleted'),
    watch,
    onEvent(run, listener) {
      let unwatch = feeds.get(run)?.onAdd(listener)
      const forget = watch(run, {
        changed() {
          unwatch?.()
          unwatch = feeds.get(run)?.onAdd(listener)
          listener()
        },
        deleted() {},
      })
      return () => {
        unwatch?.()
        forget()
      }
    },
  }
}
