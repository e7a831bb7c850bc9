/** How many streams all tabs of a browser have open together. It makes six connections to a server: two are left for the rest. */
const SLOTS = 4
/** How long a stream that is seen stays open at least while others wait, in milliseconds. */
const TURN = 1000
/** How often a tab that waits says so, in milliseconds. */
const ASK = 500
/** How often a hidden tab looks for a free slot, in milliseconds. */
const LOOK = 5000

/** The state that the tabs of a browser share, and that of this one. */
export interface Tab {
  readonly locks: Pick<LockManager, 'request'>
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  readonly isHidden: () => boolean
  /** Calls back whenever somebody looks at the tab again. Returns how to stop that. */
  readonly onShow: (listener: () => void) => () => void
}

/** A stream may be open until the signal is aborted, and says when it no longer is. */
export interface StreamTurn {
  readonly signal: AbortSignal
  readonly end: () => void
}

/**
 * Creates what streams wait for before they connect: one of a few slots that all tabs share. While more streams are wanted, those
 * of hidden tabs give way, and those of tabs that are seen take turns. A browser frees the slots of a tab that is no more.
 */
export function createStreamSlots(
  tab: Tab,
): (signal: AbortSignal | undefined) => Promise<StreamTurn> {
  const { locks, channel, isHidden } = tab
  const held = new Map<number, { readonly since: number; readonly giveWay: () => void }>()

  const hear = (wanted: unknown): void => {
    for (const [slot, { since, giveWay }] of held)
      if (isHidden() || (slot === wanted && performance.now() - since >= TURN)) giveWay()
  }
  channel.addEventListener('message', ({ data }) => hear(data))
  /** Asks hidden tabs for their slots, and if one is wanted, whichever tab has that one. */
  const ask = (wanted?: number): void => {
    if (isHidden()) return
    channel.postMessage(wanted)
    // A channel does not tell the tab itself.
    hear(wanted)
  }

  /** Keeps a slot until its turn ends. */
  const hold = (slot: number, begin: (turn: StreamTurn) => void): Promise<void> =>
    new Promise((release) => {
      const stop = new AbortController()
      held.set(slot, { since: performance.now(), giveWay: () => stop.abort() })
      const end = (): void => {
        held.delete(slot)
        release()
      }
      begin({ signal: stop.signal, end })
    })

  const takeFree = async (slot: number): Promise<StreamTurn | undefined> =>
    await new Promise((resolve, reject) => {
      locks
        .request(nameOf(slot), { ifAvailable: true }, (lock) =>
          lock ? hold(slot, resolve) : resolve(undefined),
        )
        .catch(reject)
    })

  /** Waits for whichever slot is free first. */
  const takeNext = async (signal: AbortSignal | undefined): Promise<StreamTurn> => {
    const waiting = new AbortController()
    const stop = (): void => waiting.abort(signal?.reason)
    signal?.addEventListener('abort', stop)
    const timer = setInterval(() => ask(Math.floor(Math.random() * SLOTS)), ASK)
    try {
      return await new Promise((resolve, reject) => {
        for (const slot of slots)
          locks
            .request(nameOf(slot), { signal: waiting.signal }, () => {
              if (waiting.signal.aborted) return
              waiting.abort()
              return hold(slot, resolve)
            })
            .catch(reject)
        // Only if that is not enough does a tab that is seen lose its turn.
        ask()
      })
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  const take = async (signal: AbortSignal | undefined): Promise<StreamTurn> => {
    for (;;) {
      for (const slot of slots) {
        const turn = await takeFree(slot)
        if (!turn) continue
        if (!signal?.aborted) return turn
        turn.end()
      }
      signal?.throwIfAborted()
      if (!isHidden()) return await takeNext(signal)
      await shown(tab, signal)
    }
  }

  return async (signal) => {
    try {
      return await take(signal)
    } catch {
      signal?.throwIfAborted()
      // The browser does not allow locks here.
      return { signal: new AbortController().signal, end: () => {} }
    }
  }
}

const slots = Array.from({ length: SLOTS }, (_, slot) => slot)

function nameOf(slot: number): string {
  return `toolglot-stream-${slot}`
}

/** Waits until the tab is shown, for a while. */
async function shown({ onShow }: Tab, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stopHearing()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, LOOK)
    const stopHearing = onShow(done)
    signal?.addEventListener('abort', done)
  })
}
