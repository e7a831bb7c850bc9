import { setTimeout as delay } from 'node:timers/promises'
import { ResponseError } from 'vscode-jsonrpc/node'
import { waitAtMost } from '../process/wait-at-most.ts'
import type { LanguageServer } from './server.ts'
import { unlessAborted } from '../host/unless-aborted.ts'

/** In milliseconds. A server that has just started and finds nothing may not have reported yet that it is loading. */
const STARTUP_TIME = 1000
const PAUSE = 100

/** Asks, and asks again while the server is still loading the project. */
export async function askAgain<Value>(
  server: LanguageServer,
  ask: () => Promise<Value>,
  signal: AbortSignal,
): Promise<{ readonly value: Value; readonly loading?: true }> {
  const until = performance.now() + server.limits.load
  for (;;) {
    const left = until - performance.now()
    const wasLoading = server.progress.isLoading
    const answer = await tryAsking(ask, left > 0)
    if (answer && !wasLoading && !server.progress.isLoading && !mayStillLoad(server, answer.value))
      return answer
    if (answer && left <= 0) return { ...answer, loading: true }
    await unlessAborted(signal, waitAtMost(Math.max(left, 0), server.progress.done()))
    await unlessAborted(signal, delay(PAUSE))
  }
}

/** Returns undefined if the server wants to be asked again. */
async function tryAsking<Value>(
  ask: () => Promise<Value>,
  mayAskAgain: boolean,
): Promise<{ readonly value: Value } | undefined> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (mayAskAgain && error instanceof ResponseError && RETRY_CODES.includes(error.code))
      return undefined
    throw error
  }
}

/** ContentModified, ServerCancelled and ServerNotInitialized. */
const RETRY_CODES: readonly number[] = [-32801, -32802, -32002]

function mayStillLoad({ ready }: LanguageServer, value: unknown): boolean {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty && performance.now() - ready < STARTUP_TIME
}
