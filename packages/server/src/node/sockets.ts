import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../security/limits.ts'

/** Options for closing a server. */
export interface CloseOptions {
  /** Called with the number of unfinished responses, if there are any. */
  readonly onWaiting?: ((responses: number) => void) | undefined
  /** Closes every connection immediately when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** The open connections of a server. */
export interface Sockets {
  readonly add: (socket: Socket) => void
  /**
   * Counts a connection towards the limit of this token. Returns false if the token has too many
   * other connections.
   */
  trust(socket: Socket, token: string): boolean
  begin(socket: Socket, outgoing: ServerResponse): void
  done(socket: Socket, outgoing: ServerResponse): void
  isAnswering(socket: Socket): boolean
  /** Closes idle connections, waits for the rest, and then closes them. */
  close(timeout: number, options: CloseOptions): Promise<void>
  /** True once busy connections have been closed. */
  isStopped(): boolean
}

/** Keeps track of the connections of a server, within its limits. */
export function createSockets({ connections, connectionsPerToken }: Limits): Sockets {
  const all = new Map<Socket, { responses: Set<ServerResponse>; owner: string | undefined }>()
  /** The connections of each token (undefined: without one), the least recently used first. */
  const owned = new Map<string | undefined, Set<Socket>>()
  const maxOwned = Math.min(connectionsPerToken, Math.max(1, Math.floor(connections / 2)))
  let onIdle: (() => void) | undefined
  let isStopped = false

  return {
    add(socket) {
      if (all.size >= connections) {
        const expendable = leastWanted() ?? socket
        forget(expendable)
        expendable.destroy()
        if (expendable === socket) return
      }
      all.set(socket, { responses: new Set(), owner: undefined })
      own(socket, undefined)
      socket.once('close', () => forget(socket))
    },
    trust(socket, token) {
      const known = all.get(socket)
      // The connection is already closed.
      if (!known) return true
      if (known.owner !== token && (owned.get(token)?.size ?? 0) >= maxOwned) return false
      disown(socket, known.owner)
      known.owner = token
      own(socket, token)
      return true
    },
    begin: (socket, outgoing) => void all.get(socket)?.responses.add(outgoing),
    done(socket, outgoing) {
      all.get(socket)?.responses.delete(outgoing)
      onIdle?.()
    },
    isAnswering,
    isStopped: () => isStopped,
    async close(timeout, { onWaiting, signal }) {
      for (const socket of all.keys()) if (!isAnswering(socket)) socket.destroy()
      const waiting = [...all.keys()].filter(isAnswering).length
      if (waiting > 0) onWaiting?.(waiting)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(end, timeout)
        onIdle = () => {
          if (![...all.keys()].some(isAnswering)) end()
        }
        signal?.addEventListener('abort', end)
        if (signal?.aborted) end()
        onIdle()

        function end(): void {
          clearTimeout(timer)
          signal?.removeEventListener('abort', end)
          resolve()
        }
      })
      isStopped = true
      for (const socket of all.keys()) socket.destroy()
    },
  }

  function isAnswering(socket: Socket): boolean {
    return (all.get(socket)?.responses.size ?? 0) > 0
  }

  /**
   * The oldest connection of the client with the most connections. Connections with a token are
   * only closed if idle.
   */
  function leastWanted(): Socket | undefined {
    const largestFirst = [...owned].sort(([, one], [, other]) => other.size - one.size)
    for (const [owner, sockets] of largestFirst) {
      for (const socket of sockets) {
        if (owner === undefined || !isAnswering(socket)) return socket
      }
    }
    return undefined
  }

  function own(socket: Socket, owner: string | undefined): void {
    const sockets = owned.get(owner)
    if (sockets) sockets.add(socket)
    else owned.set(owner, new Set([socket]))
  }

  function disown(socket: Socket, owner: string | undefined): void {
    const sockets = owned.get(owner)
    sockets?.delete(socket)
    if (sockets?.size === 0) owned.delete(owner)
  }

  function forget(socket: Socket): void {
    const known = all.get(socket)
    if (known) disown(socket, known.owner)
    all.delete(socket)
  }
}
