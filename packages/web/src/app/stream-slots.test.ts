import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStreamSlots, type StreamTurn } from './stream-slots.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The locks of a browser, granted in order of request. */
function fakeLocks() {
  interface Wish {
    readonly tab: string
    readonly callback: (lock: Lock | null) => unknown
    readonly resolve: (value: unknown) => void
  }
  const holders = new Map<string, { readonly tab: string; readonly free: () => void }>()
  const queues = new Map<string, Wish[]>()
  const grant = (name: string): void => {
    const wish = holders.has(name) ? undefined : queues.get(name)?.shift()
    if (!wish) return
    const free = (): void => {
      if (holders.get(name)?.free !== free) return
      holders.delete(name)
      wish.resolve(undefined)
      grant(name)
    }
    holders.set(name, { tab: wish.tab, free })
    void Promise.resolve(wish.callback({ name, mode: 'exclusive' })).then(free)
  }
  const request = (
    tab: string,
    name: string,
    { ifAvailable, signal }: LockOptions,
    callback: Wish['callback'],
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      if (ifAvailable && (holders.has(name) || queue.length > 0)) {
        resolve(callback(null))
        return
      }
      const wish = { tab, callback, resolve }
      queue.push(wish)
      signal?.addEventListener('abort', () => {
        const at = queue.indexOf(wish)
        if (at === -1) return
        queue.splice(at, 1)
        reject(signal.reason as Error)
      })
      queueMicrotask(() => grant(name))
    })
  /** Closes a tab, as a crash would. */
  const close = (tab: string): void => {
    for (const queue of queues.values())
      queue.splice(0, queue.length, ...queue.filter((wish) => wish.tab !== tab))
    for (const holder of holders.values()) if (holder.tab === tab) holder.free()
  }
  return { holders, request, close }
}

function fakeBrowser() {
  const locks = fakeLocks()
  const listeners = new Map<string, (event: MessageEvent) => void>()
  const most = { count: 0 }
  const open = (name: string, { isHidden = false } = {}) => {
    const shows = new Set<() => void>()
    const state = { isHidden, turns: 0, isOpen: false }
    const stop = new AbortController()
    const take = createStreamSlots({
      locks: {
        request: ((lock: string, options: LockOptions, callback: () => unknown) =>
          locks.request(name, lock, options, callback)) as LockManager['request'],
      },
      channel: {
        postMessage(data) {
          for (const [other, hear] of listeners)
            if (other !== name) queueMicrotask(() => hear({ data } as MessageEvent))
        },
        addEventListener: (_: string, hear: unknown) =>
          void listeners.set(name, hear as (event: MessageEvent) => void),
      },
      isHidden: () => state.isHidden,
      onShow(listener) {
        shows.add(listener)
        return () => void shows.delete(listener)
      },
    })
    const follow = async (): Promise<void> => {
      for (;;) {
        const turn: StreamTurn = await take(stop.signal)
        state.turns += 1
        state.isOpen = true
        most.count = Math.max(most.count, locks.holders.size)
        const ends = AbortSignal.any([turn.signal, stop.signal])
        await new Promise((resolve) => ends.addEventListener('abort', resolve))
        state.isOpen = false
        turn.end()
      }
    }
    follow().catch(() => {})
    return Object.assign(state, {
      show() {
        state.isHidden = false
        for (const show of [...shows]) show()
      },
      leave: () => stop.abort(),
      close() {
        listeners.delete(name)
        locks.close(name)
      },
    })
  }
  return { locks, open, most }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `tab ${at}`)

test('a few streams stay open indefinitely', async () => {
  const { open } = fakeBrowser()
  const tabs = names(4).map((name) => open(name))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tabs.map(({ isOpen, turns }) => [isOpen, turns])).toEqual(Array(4).fill([true, 1]))
})

test('twelve visible streams take turns, four at a time', async () => {
  const { open, most } = fakeBrowser()
  const tabs = names(12).map((name) => open(name))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(most.count).toBe(4)
  // A turn takes about a second: with three tabs per slot, each has one every few seconds.
  for (const { turns } of tabs) expect(turns).toBeGreaterThan(8)
})

test('hidden tabs yield to visible ones until they are visible again', async () => {
  const { open } = fakeBrowser()
  const hidden = names(4).map((name) => open(`hidden ${name}`, { isHidden: true }))
  await vi.advanceTimersByTimeAsync(1)
  expect(hidden.every(({ isOpen }) => isOpen)).toBe(true)
  const seen = names(4).map((name) => open(name))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(seen.map(({ isOpen, turns }) => [isOpen, turns])).toEqual(Array(4).fill([true, 1]))
  expect(hidden.some(({ isOpen }) => isOpen)).toBe(false)
  seen[0]!.isHidden = true
  hidden[2]!.show()
  await vi.advanceTimersByTimeAsync(1)
  expect([hidden[2]!.isOpen, seen[0]!.isOpen]).toEqual([true, false])
})

test('closed, crashed and stopped tabs free their slots, even for hidden tabs', async () => {
  const { open, locks } = fakeBrowser()
  const tabs = names(4).map((name) => open(name))
  await vi.advanceTimersByTimeAsync(1)
  const waiting = names(2).map((name) => open(`hidden ${name}`, { isHidden: true }))
  await vi.advanceTimersByTimeAsync(6000)
  expect(waiting.some(({ isOpen }) => isOpen)).toBe(false)
  tabs[0]!.close()
  tabs[1]!.leave()
  await vi.advanceTimersByTimeAsync(6000)
  expect(waiting.every(({ isOpen }) => isOpen)).toBe(true)
  expect(locks.holders.size).toBe(4)
})

test('an aborted request leaves the queue with its reason', async () => {
  const { open, locks } = fakeBrowser()
  names(4).forEach((name) => open(name))
  await vi.advanceTimersByTimeAsync(1)
  const late = open('late')
  late.leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([late.turns, locks.holders.size]).toEqual([0, 4])
})

test('does not limit streams if locks are unavailable', async () => {
  const take = createStreamSlots({
    locks: { request: () => Promise.reject(new Error('SecurityError')) },
    channel: { postMessage: () => {}, addEventListener: () => {} },
    isHidden: () => false,
    onShow: () => () => {},
  })
  expect((await take(undefined)).signal.aborted).toBe(false)
})
