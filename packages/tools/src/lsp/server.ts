import { pathToFileURL } from 'node:url'
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node'
import { waitAtMost } from '../process/wait-at-most.ts'
import { answerServer } from './answer-server.ts'
import { limitMessages } from './limit-messages.ts'
import { capabilities } from './capabilities.ts'
import type { ServerDefinition } from './definition.ts'
import { Documents } from './documents.ts'
import { ServerProgress } from './progress.ts'
import { type ServerLaunch, type ServerProcess, startServerProcess } from './server-process.ts'
import { objectOf } from './untyped.ts'
import { unlessAborted } from '../host/unless-aborted.ts'

/** A server is gone: it ended, or said what cannot be understood. */
export class ServerEndedError extends Error {}

/** It did not answer in time. */
export class ServerTimeoutError extends Error {}

export interface ServerLimits {
  /** How long it may take to start, and to answer, in milliseconds. */
  readonly start: number
  readonly answer: number
  /** How long it may read the project before what it knows so far is told. */
  readonly load: number
}

/** A language server that runs. */
export class LanguageServer {
  readonly documents: Documents
  readonly progress: ServerProgress = new ServerProgress()
  /** Why it is gone, once it is. */
  readonly ended: Promise<string>
  /** When it had started. */
  ready = 0
  readonly #process: ServerProcess
  readonly #connection: MessageConnection
  readonly limits: ServerLimits
  /** When it wants to be asked for diagnostics, which it may say late; before, it says them by itself. */
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
    launch: ServerLaunch,
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
        ...(options !== undefined && { initializationOptions: options }),
      },
      signal,
      this.limits.start,
    )
    const { diagnosticProvider, positionEncoding = 'utf-16' } = objectOf(
      objectOf(answer)['capabilities'],
    )
    if (positionEncoding !== 'utf-16')
      throw new ServerEndedError('counts characters in a way that was not offered to it')
    if (diagnosticProvider) this.#onPull()
    this.notify('initialized', {})
    this.ready = performance.now()
    if (Object.keys(settings).length > 0)
      this.notify('workspace/didChangeConfiguration', { settings })
  }

  /** Asks, and waits for no longer than is allowed, nor for a server that is gone. */
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
      // A broken pipe is told before the end of the process is.
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
    // Who is gone hears nothing; that is told to whoever asks.
    if (this.#isOpen) void this.#connection.sendNotification(method, params).catch(() => {})
  }

  /** Asks it to end, and ends it and all that it started. */
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
      // It has ended, or knows no manners.
    }
  }
}

/** In milliseconds. */
const SHUTDOWN_GRACE = 300
