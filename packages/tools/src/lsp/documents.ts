import { pathToFileURL } from 'node:url'
import { readPath, listOf, objectOf } from './read-answers.ts'

/** A file that is open in a server, with the text sent. */
export interface OpenDocument {
  readonly uri: string
  text: string
  version: number
  /** The diagnostics that the server published for this version, or without a version. */
  pushed: readonly unknown[] | undefined
}

type Notify = (method: string, params: unknown) => void

/** The maximum number of open files. The most recently used ones stay open. */
const MAX_OPEN = 20

/** The files that are open in a server. */
export class Documents {
  readonly #open = new Map<string, OpenDocument>()
  readonly #waiting = new Map<OpenDocument, (() => void)[]>()
  readonly #notify: Notify

  constructor(notify: Notify) {
    this.#notify = notify
  }

  get paths(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** Opens or updates a file in the server. */
  sync(path: string, text: string, languageId: string): OpenDocument {
    let document = this.#open.get(path)
    this.#open.delete(path)
    if (!document) {
      document = { uri: pathToFileURL(path).href, text, version: 1, pushed: undefined }
      const { uri, version } = document
      this.#notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } })
    } else if (document.text !== text) {
      document.text = text
      document.pushed = undefined
      const { uri } = document
      const version = ++document.version
      const params = { textDocument: { uri, version }, contentChanges: [{ text }] }
      this.#notify('textDocument/didChange', params)
    }
    this.#open.set(path, document)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN) this.close(oldest!)
    return document
  }

  /** Closes a file, so that the server reads it from disk. */
  close(path: string): void {
    const document = this.#open.get(path)
    if (!document) return
    this.#open.delete(path)
    this.#notify('textDocument/didClose', { textDocument: { uri: document.uri } })
  }

  /** Handles published diagnostics. Ignores files that are not open. */
  push(params: unknown): void {
    const { uri, version, diagnostics } = objectOf(params)
    const document = this.#open.get(readPath(uri) ?? '')
    if (!document || (typeof version === 'number' && version < document.version)) return
    document.pushed = listOf(diagnostics)
    for (const resolve of this.#waiting.get(document) ?? []) resolve()
    this.#waiting.delete(document)
  }

  /** Resolves when the server next publishes diagnostics of a file. */
  nextPush(document: OpenDocument): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(document, [...(this.#waiting.get(document) ?? []), resolve])
    })
  }
}
