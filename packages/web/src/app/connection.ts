import { useSyncExternalStore } from 'react'

/** What the last answers of the server, or their absence, say. */
export interface Connection {
  /** Whether the person is logged in; undefined until the server has answered. */
  readonly isLoggedIn: boolean | undefined
  /** Whether the server does not answer. */
  readonly isLost: boolean
}

/** The server did not answer. Browsers say that in many ways. */
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

/** Whether the server answers, and the person is logged in. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** `fetch` for everything that the page asks its server: whatever comes back, or not, says how the connection is. */
export const observedFetch: typeof fetch = async (input, init) => {
  const signal = init?.signal ?? undefined
  // A stream that broke is continued as soon as the server is back, and not some time after that.
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

/** Checks whether the server answers, and the person is logged in. */
export async function ask(): Promise<void> {
  // That it fails is noted where it fails.
  await observedFetch('/api/status').catch(() => {})
}

/** How long to wait before asking again, in milliseconds. */
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

/** Something in between answered that it cannot reach the server. Errors of the server itself say what they are. */
function isFromProxy({ status, headers }: Response): boolean {
  const isOwn = headers.get('content-type')?.startsWith('application/problem+json') ?? false
  return status >= 502 && status <= 504 && !isOwn
}
