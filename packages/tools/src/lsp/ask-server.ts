import { pathToFileURL } from 'node:url'
import { ToolError } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'
import { ResponseError } from 'vscode-jsonrpc/node'
import type { CodePlace, LanguageTopics, LanguageTopic, LanguageAnswer } from '../host/language.ts'
import type { ChangedFiles, ServerSlot } from './server-slot.ts'
import { endingOf, type ServerDefinition } from './servers.ts'
import { questions } from './questions.ts'
import { type LanguageServer, ServerEndedError, ServerTimeoutError } from './server.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { waitAtMost } from '../process/wait-at-most.ts'

/** In milliseconds. A server that has just started and finds nothing may not have reported yet that it is loading. */
const STARTUP_TIME = 1000

const PAUSE = 100

/** ContentModified, ServerCancelled and ServerNotInitialized. */
const RETRY_CODES: readonly number[] = [-32801, -32802, -32002]

interface AskServerOptions<Topic extends LanguageTopic> {
  readonly slot: ServerSlot
  readonly definition: ServerDefinition
  readonly topic: Topic
  readonly place: CodePlace
  readonly signal: AbortSignal
}

/** Asks the server of a project. Starts it if necessary, and notifies it of changed files first. */
export async function askServer<Topic extends LanguageTopic>({
  slot,
  definition,
  topic,
  place,
  signal,
}: AskServerOptions<Topic>): Promise<LanguageAnswer<LanguageTopics[Topic]>> {
  const { changes, name } = slot
  if (!slot.isRunning) await changes.changesSinceLastCall(signal)
  const server = await slot.server()
  try {
    await notifyChanges(server, changes, place.path, signal)
    const language = definition.languages[endingOf(place.path)]!
    const document = server.documents.sync(place.path, place.text, language)
    const ask = (): Promise<LanguageTopics[Topic]> =>
      questions[topic]({ server, document, place, signal })
    return { ...(await askAgain(server, ask, signal)), server: name }
  } catch (error) {
    throw explainError(error, name, server)
  }
}

/** The type of `askServer`, which is loaded on demand. */
export type AskServer = typeof askServer

/** Notifies the server of files that changed since the last question. Those that are open are read from disk again. */
async function notifyChanges(
  server: LanguageServer,
  changes: ChangedFiles,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { documents } = server
  const changed = await changes.changesSinceLastCall(signal, documents.paths)
  if (changed.length === 0) return
  for (const change of changed) if (change.path !== path) documents.close(change.path)
  const events = changed.map((change) => ({
    uri: pathToFileURL(change.path).href,
    type: change.type,
  }))
  server.notify('workspace/didChangeWatchedFiles', { changes: events })
}

function explainError(error: unknown, name: string, { progress }: LanguageServer): unknown {
  if (error instanceof ServerEndedError)
    return new ToolError(
      'execution_failed',
      `The language server ${name} ${error.message}. The next call starts it again.`,
      { code: 'server_ended', server: name },
    )
  if (error instanceof ServerTimeoutError) {
    const why = progress.isLoading ? ' and is still loading the project. Try again later' : ''
    return new ToolError('timeout', `The language server ${name} ${error.message}${why}.`, {
      code: 'server_silent',
      server: name,
    })
  }
  if (error instanceof ResponseError) {
    const cannot = error.code === UNKNOWN_METHOD ? ' It does not support this.' : ''
    return new ToolError(
      'execution_failed',
      `The language server ${name} reports: ${error.message.slice(0, 2000)}.${cannot}`,
      { code: 'server_answer', server: name },
    )
  }
  return error
}

const UNKNOWN_METHOD = -32601

/** Asks, and asks again while the server is still loading the project. */
async function askAgain<Value>(
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

function mayStillLoad({ ready }: LanguageServer, value: unknown): boolean {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty && performance.now() - ready < STARTUP_TIME
}
