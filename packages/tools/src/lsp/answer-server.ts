import type { MessageConnection } from 'vscode-jsonrpc/node'
import type { Documents } from './documents.ts'
import { listOf, objectOf } from './read-answers.ts'

/** The context in which `answerServer` handles the messages of a server. */
interface ServerHandlers {
  readonly documents: Documents
  readonly progress: ServerProgress
  /** Settings by section. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The URI of the server's folder. */
  readonly folder: string
  /** Called when the server supports pulling diagnostics. */
  readonly onPull: () => void
}

/**
 * Handles the requests and notifications of a server, which can read settings but change nothing.
 */
export function answerServer(connection: MessageConnection, handlers: ServerHandlers): void {
  const { documents, progress, settings, folder, onPull } = handlers
  connection.onRequest('workspace/configuration', (params: unknown) =>
    listOf(objectOf(params)['items']).map((item) => {
      const section = String(objectOf(item)['section'])
      return Object.hasOwn(settings, section) ? settings[section] : null
    }),
  )
  connection.onRequest('workspace/workspaceFolders', () => [{ uri: folder, name: 'workspace' }])
  connection.onRequest('workspace/applyEdit', () => ({
    applied: false,
    failureReason: 'Servers may not edit files here.',
  }))
  connection.onRequest('client/registerCapability', (params: unknown) => {
    const methods = listOf(objectOf(params)['registrations']).map(
      (each) => objectOf(each)['method'],
    )
    if (methods.includes('textDocument/diagnostic')) onPull()
    return null
  })
  for (const method of ANSWERED_WITH_NULL) connection.onRequest(method, () => null)
  connection.onNotification('$/progress', (params: unknown) => progress.progress(params))
  connection.onNotification('experimental/serverStatus', (params: unknown) =>
    progress.status(params),
  )
  connection.onNotification('textDocument/publishDiagnostics', (params: unknown) =>
    documents.push(params),
  )
  // Logs and similar messages are ignored.
  connection.onNotification(() => {})
}

const ANSWERED_WITH_NULL = [
  'client/unregisterCapability',
  'window/workDoneProgress/create',
  'window/showMessageRequest',
  'workspace/diagnostic/refresh',
  'workspace/semanticTokens/refresh',
  'workspace/inlayHint/refresh',
  'workspace/codeLens/refresh',
]

/** Tracks the progress of a server. While it is loading, answers may be incomplete. */
export class ServerProgress {
  readonly #tokens = new Set<unknown>()
  #isQuiet = true
  #waiting: (() => void)[] = []

  get isLoading(): boolean {
    return this.#tokens.size > 0 || !this.#isQuiet
  }

  /** Resolves when the server is not loading. */
  done(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isLoading) this.#waiting.push(resolve)
      else resolve()
    })
  }

  /** Handles `$/progress`. */
  progress(params: unknown): void {
    const { token, value } = objectOf(params)
    const { kind } = objectOf(value)
    if (kind === 'begin' && this.#tokens.size < MAX_TOKENS) this.#tokens.add(token)
    if (kind === 'end') this.#tokens.delete(token)
    this.#notifyIfDone()
  }

  /** Handles the status notification of rust-analyzer. */
  status(params: unknown): void {
    this.#isQuiet = objectOf(params)['quiescent'] !== false
    this.#notifyIfDone()
  }

  #notifyIfDone(): void {
    if (this.isLoading) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }
}

const MAX_TOKENS = 1000
