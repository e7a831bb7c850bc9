import { unlessAborted } from '@toolglot/agent/internal'
import type { CodeCall, CodePlace, LanguageTopics, LanguageTopic } from '../host/language.ts'
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
import { type LanguageServer, ServerTimeoutError, ServerEndedError } from './server.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { ResponseError } from 'vscode-jsonrpc/node'
import { waitAtMost } from '../process/wait-at-most.ts'

/** How long to wait for published diagnostics, and for additional ones, in milliseconds. */
const WAIT = 5000

const ADD = 150

/** InvalidRequest and MethodNotFound. */
const UNSUPPORTED_CODES: readonly number[] = [-32600, -32601]

/** A question to a server about a file that is open in it. */
export interface Question {
  readonly server: LanguageServer
  readonly document: OpenDocument
  readonly place: CodePlace
  readonly signal: AbortSignal
}

type Ask<Topic extends LanguageTopic> = (question: Question) => Promise<LanguageTopics[Topic]>

/** How to ask a server about each topic, and how to read its answer. */
export const questions: { readonly [Topic in LanguageTopic]: Ask<Topic> } = {
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

/** Overloads are several items with one name. */
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
