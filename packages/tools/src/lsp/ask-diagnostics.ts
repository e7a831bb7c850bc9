import { setTimeout as delay } from 'node:timers/promises'
import { ResponseError } from 'vscode-jsonrpc/node'
import { waitAtMost } from '../process/wait-at-most.ts'
import type { Question } from './questions.ts'
import { ServerEndedError, ServerTimeoutError } from './server.ts'
import { listOf, objectOf } from './untyped.ts'
import { unlessAborted } from '../host/unless-aborted.ts'

/** How long to wait for published diagnostics, and for additional ones, in milliseconds. */
const WAIT = 5000
const ADD = 150

/** The diagnostics of a file, both pulled from the server and published by it. */
export async function askDiagnostics(question: Question): Promise<readonly unknown[]> {
  const { server, document, signal } = question
  const wait = Math.min(WAIT, server.limits.answer)
  const pushed =
    document.pushed === undefined ? server.documents.nextPush(document) : Promise.resolve()
  let pulls = false
  const diagnosed = Promise.race([
    server.pulls.then(() => (pulls = true)),
    pushed.then(() => delay(ADD)),
    server.ended.then((why) => Promise.reject(new ServerEndedError(why))),
  ])
  await unlessAborted(signal, waitAtMost(wait, diagnosed))
  if (pulls) {
    const pulled = await pull(question)
    if (pulled) return [...pulled, ...(document.pushed ?? [])]
    await unlessAborted(signal, waitAtMost(wait, pushed))
  }
  if (document.pushed) return document.pushed
  throw new ServerTimeoutError(`published no diagnostics for the file in ${wait} ms`)
}

/** Returns undefined if the server does not support it after all. */
async function pull({
  server,
  document,
  signal,
}: Question): Promise<readonly unknown[] | undefined> {
  try {
    const params = { textDocument: { uri: document.uri } }
    const report = await server.request('textDocument/diagnostic', params, signal)
    return listOf(objectOf(report)['items'])
  } catch (error) {
    // Some servers register the capability too early.
    if (error instanceof ResponseError && UNSUPPORTED_CODES.includes(error.code)) return undefined
    throw error
  }
}

/** InvalidRequest and MethodNotFound. */
const UNSUPPORTED_CODES: readonly number[] = [-32600, -32601]
