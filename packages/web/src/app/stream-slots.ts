/**
 * The maximum number of streams open at once across all tabs of a browser. A browser makes six
 * connections to a server, so two stay free.
 */
const SLOTS = 4
/** The minimum time a visible stream stays open while others wait, in milliseconds. */
const TURN = 1000
/** The interval at which a waiting tab asks for a slot, in milliseconds. */
const ASK = 500
/** The interval at which a hidden tab looks for a free slot, in milliseconds. */
const LOOK = 5000

/** The state that all tabs of a browser share, and the state of this tab. */
export interface Tab {
  readonly locks: Pick<LockManager, 'request'>
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  readonly isHidden: () => boolean
  /** Calls back whenever the tab becomes visible. Returns a function that stops listening. */
  readonly onShow: (listener: () => void) => () => void
}

/** Permission to keep a stream open until the signal is aborted. Call `end` when it closes. */
export interface StreamTurn {
  readonly signal: AbortSignal
  readonly end: () => void
}

/**
 * Creates the queue that streams pass before they connect: all tabs share a few slots. If more
 * streams are wanted, those of hidden tabs yield, and visible tabs take turns. The browser frees
 * the slots of a closed tab.
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
  /** Asks hidden tabs for their slots; with a slot number, also the tab that holds that slot. */
  const ask = (wanted?: number): void => {
    if (isHidden()) return
    channel.postMessage(wanted)
    // A channel does not deliver messages to its own sender.
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

  /** Waits for the first free slot. */
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
        // A visible tab loses its turn only if hidden tabs freed no slot.
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

/** Waits a limited time until the tab is visible. */
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
