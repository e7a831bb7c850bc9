import { pathToFileURL } from 'node:url'
import { unlessAborted } from '@toolglot/agent/internal'
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node'
import type { ClientCapabilities } from 'vscode-languageserver-protocol'
import { waitAtMost } from '../process/wait-at-most.ts'
import { answerServer, ServerProgress } from './answer-server.ts'
import {
  limitMessages,
  type ServerCommand,
  type ServerProcess,
  startServerProcess,
} from './server-process.ts'
import type { ServerDefinition } from './servers.ts'
import { Documents } from './documents.ts'
import { objectOf } from './read-answers.ts'

/** The capabilities announced to servers. Edits are not among them. */
const capabilities: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    symbol: {},
    didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
    diagnostic: { dynamicRegistration: true },
    publishDiagnostics: { versionSupport: true },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] },
      },
      isPreferredSupport: true,
    },
  },
  // rust-analyzer reports when it has loaded the whole project.
  experimental: { serverStatusNotification: true },
}

/** The server is gone: it exited, or was stopped because it sent invalid messages. */
export class ServerEndedError extends Error {}

/** The server did not answer in time. */
export class ServerTimeoutError extends Error {}

/** Time limits of a server. */
export interface ServerLimits {
  /** The time limit for starting and for an answer, in milliseconds. */
  readonly start: number
  readonly answer: number
  /** The time to wait for the project to load before using incomplete answers. */
  readonly load: number
}

/** A running language server. */
export class LanguageServer {
  readonly documents: Documents
  readonly progress: ServerProgress = new ServerProgress()
  /** Resolves with the reason when the server has ended. */
  readonly ended: Promise<string>
  /** The time of its initialization, as `performance.now()`. */
  ready = 0
  readonly #process: ServerProcess
  readonly #connection: MessageConnection
  readonly limits: ServerLimits
  /**
   * Resolves when the server supports pulling diagnostics, which it may announce late. Until then,
   * it publishes them.
   */
  readonly pulls: Promise<void>
  readonly #onPull: () => void
  #isOpen = true

  private constructor(process: ServerProcess, limits: ServerLimits) {
    this.#process = process
    this.limits = limits
    const { child, ended } = process
    const output = child.stdout.pipe(limitMessages())
    this.#connection = createMessageConnection(
      new StreamMessageReader(output),
      new StreamMessageWriter(child.stdin),
      { error: () => {}, warn: () => {}, info: () => {}, log: () => {} },
    )
    const broken = new Promise<string>((resolve) => {
      const stop = (error: Error): void => {
        resolve(`was stopped: ${error.message}`)
        void process.stop(0)
      }
      output.once('error', stop)
      this.#connection.onError(([error]) => stop(error))
    })
    this.ended = Promise.race([ended, broken])
    this.#connection.onClose(() => (this.#isOpen = false))
    let onPull = (): void => {}
    this.pulls = new Promise((resolve) => (onPull = resolve))
    this.#onPull = onPull
    this.documents = new Documents((method, params) => this.notify(method, params))
  }

  static async start(
    launch: ServerCommand,
    { options, settings = {} }: ServerDefinition,
    limits: ServerLimits,
    signal: AbortSignal,
  ): Promise<LanguageServer> {
    const server = new LanguageServer(await startServerProcess(launch), limits)
    try {
      await server.#initialize(launch.cwd, options, settings, signal)
      return server
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  async #initialize(
    root: string,
    options: unknown,
    settings: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    const folder = pathToFileURL(root).href
    const { documents, progress } = this
    const handlers = { documents, progress, settings, folder, onPull: this.#onPull }
    answerServer(this.#connection, handlers)
    this.#connection.listen()
    const answer = await this.request(
      'initialize',
      {
        processId: process.pid,
        clientInfo: { name: 'toolglot' },
        rootUri: folder,
        rootPath: root,
        workspaceFolders: [{ uri: folder, name: 'workspace' }],
        capabilities,
        initializationOptions: options,
      },
      signal,
      this.limits.start,
    )
    const { diagnosticProvider, positionEncoding = 'utf-16' } = objectOf(
      objectOf(answer)['capabilities'],
    )
    if (positionEncoding !== 'utf-16')
      throw new ServerEndedError('uses a position encoding that was not offered')
    if (diagnosticProvider) this.#onPull()
    this.notify('initialized', {})
    this.ready = performance.now()
    if (Object.keys(settings).length > 0)
      this.notify('workspace/didChangeConfiguration', { settings })
  }

  /** Sends a request. Rejects on timeout, when aborted, and when the server is gone. */
  async request(
    method: string,
    params: unknown,
    signal: AbortSignal,
    limit: number = this.limits.answer,
  ): Promise<unknown> {
    signal.throwIfAborted()
    const cancel = new CancellationTokenSource()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new ServerTimeoutError(`did not answer in ${limit} ms`)),
        limit,
      )
    })
    const gone = this.ended.then((why) => Promise.reject(new ServerEndedError(why)))
    try {
      const answer = this.#isOpen
        ? this.#connection.sendRequest<unknown>(method, params, cancel.token)
        : gone
      return await unlessAborted(signal, Promise.race([answer, gone, late]))
    } catch (error) {
      if (this.#isOpen) cancel.cancel()
      // A broken pipe is reported before the end of the process.
      if (
        !(error instanceof ResponseError) &&
        !signal.aborted &&
        !(error instanceof ServerTimeoutError)
      )
        await waitAtMost(1000, this.ended).then((isGone) => isGone && gone)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  notify(method: string, params: unknown): void {
    // If the server has ended, the next request reports that.
    if (this.#isOpen) void this.#connection.sendNotification(method, params).catch(() => {})
  }

  /** Shuts it down, and kills it and its descendants if necessary. */
  async stop(): Promise<void> {
    if (this.#isOpen) await waitAtMost(SHUTDOWN_GRACE, Promise.race([this.#shutDown(), this.ended]))
    await this.#process.stop(SHUTDOWN_GRACE)
    this.#isOpen = false
    this.#connection.dispose()
  }

  async #shutDown(): Promise<void> {
    try {
      await this.#connection.sendRequest('shutdown')
      await this.#connection.sendNotification('exit')
    } catch {
      // The server has ended, or does not support shutting down.
    }
  }
}

/** The grace period, in milliseconds. */
const SHUTDOWN_GRACE = 300
