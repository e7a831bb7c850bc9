// Folder: Language servers.
import { pathToFileURL } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { ToolError } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'
import { ResponseError } from 'vscode-jsonrpc/node'
import type {
  CodePlace,
  LanguageTopics,
  LanguageTopic,
  LanguageAnswer,
  CodeCall,
} from '../host/language.ts'
import type { ChangedFiles, ServerSlot } from './server-slot.ts'
import { endingOf, type ServerDefinition } from './servers.ts'
import { type LanguageServer, ServerEndedError, ServerTimeoutError } from './server.ts'
import { waitAtMost } from '../process/wait-at-most.ts'
import type { OpenDocument } from './documents.ts'
import {
  readActions,
  readDiagnostics,
  readHover,
  readLocations,
  readPath,
  readCallees,
  readCallers,
  readSymbols,
  readSymbolsAnywhere,
  listOf,
  objectOf,
} from './read-answers.ts'

/**
 * In milliseconds. A server that has just started and finds nothing may not have reported yet that
 * it is loading.
 */
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

/**
 * Queries the server of a project. Starts it if necessary, and notifies it of changed files first.
 */
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

/**
 * Notifies the server of files that changed since the last query. Open files are reread from disk.
 */
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
      `The language server ${name} ${error.message}. The next call restarts it.`,
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

/** Repeats a query while the server is still loading the project. */
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

/** Returns undefined if the server requests a retry. */
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

/** The time limits for published diagnostics, and for additional ones, in milliseconds. */
const WAIT = 5000

const ADD = 150

/** InvalidRequest and MethodNotFound. */
const UNSUPPORTED_CODES: readonly number[] = [-32600, -32601]

/** A query about a file that is open in the server. */
interface Question {
  readonly server: LanguageServer
  readonly document: OpenDocument
  readonly place: CodePlace
  readonly signal: AbortSignal
}

type Ask<Topic extends LanguageTopic> = (question: Question) => Promise<LanguageTopics[Topic]>

/** The requests for each topic, and the parsers of their answers. */
const questions: { readonly [Topic in LanguageTopic]: Ask<Topic> } = {
  definition: async (question) => readLocations(await at('definition', question)),
  implementation: async (question) => readLocations(await at('implementation', question)),
  references: async (question) =>
    readLocations(await at('references', question, { context: { includeDeclaration: true } })),
  hover: async (question) => readHover(await at('hover', question)),
  symbols: async ({ server, document: { uri }, place, signal }) => {
    const params = { textDocument: { uri } }
    return readSymbols(
      await server.request('textDocument/documentSymbol', params, signal),
      place.path,
    )
  },
  symbolsNamed: async ({ server, place: { query = '' }, signal }) =>
    readSymbolsAnywhere(await server.request('workspace/symbol', { query }, signal)),
  callables: async (question) => readSymbolsAnywhere(await at('prepareCallHierarchy', question)),
  callers: (question) => callsOf('incomingCalls', question, readCallers),
  callees: (question) => callsOf('outgoingCalls', question, readCallees),
  diagnostics: async (question) => readDiagnostics(await askDiagnostics(question)),
  actions: async (question) => {
    const { server, document, place, signal } = question
    const line = place.position?.line ?? 0
    const known = await askDiagnostics(question).catch((error: unknown) => {
      if (error instanceof ServerTimeoutError) return []
      throw error
    })
    const diagnostics = known.filter((each) => touches(each, line))
    const [range] = diagnostics.map((each) => objectOf(each)['range'])
    const start = place.position ?? { line, character: 0 }
    const params = {
      textDocument: { uri: document.uri },
      range: range ?? { start, end: start },
      context: { diagnostics, triggerKind: 1 },
    }
    return readActions(await server.request('textDocument/codeAction', params, signal))
  },
}

async function at(method: string, question: Question, more: object = {}): Promise<unknown> {
  const { server, document, place, signal } = question
  const params = { textDocument: { uri: document.uri }, position: place.position, ...more }
  return await server.request(`textDocument/${method}`, params, signal)
}

/** Overloads are several items with the same name. */
const MAX_ITEMS = 8

async function callsOf(
  method: string,
  question: Question,
  read: (value: unknown, path: string) => CodeCall[],
): Promise<CodeCall[]> {
  const { server, signal } = question
  const items = listOf(await at('prepareCallHierarchy', question)).slice(0, MAX_ITEMS)
  const calls: CodeCall[] = []
  for (const item of items) {
    const path = readPath(objectOf(item)['uri'])
    if (path === undefined) continue
    calls.push(...read(await server.request(`callHierarchy/${method}`, { item }, signal), path))
  }
  return calls
}

function touches(diagnostic: unknown, line: number): boolean {
  const { start, end } = objectOf(objectOf(diagnostic)['range'])
  const [first, last] = [start, end].map((each) => Number(objectOf(each)['line']))
  return first! <= line && line <= last!
}

/** The diagnostics of a file, both pulled from the server and published by it. */
async function askDiagnostics(question: Question): Promise<readonly unknown[]> {
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
