import { useSyncExternalStore } from 'react'

/** The state of the connection, as shown by the server's latest answers or their absence. */
export interface Connection {
  /** True if the user is logged in; undefined until the server has answered. */
  readonly isLoggedIn: boolean | undefined
  /** True if the server does not answer. */
  readonly isLost: boolean
}

/** The server did not answer. Browsers report this in different ways. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('The server isn’t responding.', { cause })
  }
}

let connection: Connection = { isLoggedIn: undefined, isLost: false }
const listeners = new Set<() => void>()

function change(next: Connection): void {
  const { isLoggedIn, isLost } = connection
  if (next.isLoggedIn === isLoggedIn && next.isLost === isLost) return
  connection = next
  for (const listener of listeners) listener()
}

/** The current state of the connection. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * The `fetch` for all requests of the page: every answer or failure updates the state of the
 * connection.
 */
export const observedFetch: typeof fetch = async (input, init) => {
  const signal = init?.signal ?? undefined
  // A broken stream reconnects as soon as the server is back, not after its usual delay.
  if (connection.isLost && addressOf(input).includes('/events')) await whenBack(signal)
  let response: Response
  try {
    response = await fetch(input, init)
  } catch (error) {
    if (signal?.aborted) throw error
    lose()
    throw new NoAnswer(error)
  }
  if (isFromProxy(response)) lose()
  else change({ isLoggedIn: response.status !== 401, isLost: false })
  return response
}

function addressOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : input.toString()
}

/** Checks if the server answers and the user is logged in. */
export async function ask(): Promise<void> {
  // `observedFetch` has recorded the failure.
  await observedFetch('/api/status').catch(() => {})
}

/** The delay between two checks, in milliseconds. */
const PAUSE = 2000
let timer: ReturnType<typeof setTimeout> | undefined

function lose(): void {
  change({ ...connection, isLost: true })
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), PAUSE)
}

async function whenBack(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (connection.isLost && !signal?.aborted) return
      listeners.delete(look)
      signal?.removeEventListener('abort', look)
      resolve()
    }
    listeners.add(look)
    signal?.addEventListener('abort', look)
    look()
  })
}

/**
 * True if a proxy answered that it cannot reach the server. The server's own errors have a body
 * that explains them.
 */
function isFromProxy({ status, headers }: Response): boolean {
  const isOwn = headers.get('content-type')?.startsWith('application/problem+json') ?? false
  return status >= 502 && status <= 504 && !isOwn
}
