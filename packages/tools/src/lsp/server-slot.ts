import { join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { LanguageServer } from './server.ts'
import type { Search } from '../host/search.ts'

/**
 * The server of a project: started on demand, and restarted when it ends, up to a maximum number of
 * failures.
 */
export class ServerSlot {
  readonly name: string
  readonly changes: ChangedFiles
  readonly #start: (signal: AbortSignal) => Promise<LanguageServer>
  readonly #end = new AbortController()
  readonly #maxFailures: number
  #failures = 0
  #why = ''
  #server: Promise<LanguageServer> | undefined
  #isReady = false

  constructor(
    name: string,
    changes: ChangedFiles,
    start: (signal: AbortSignal) => Promise<LanguageServer>,
    maxFailures: number = MAX_FAILURES,
  ) {
    this.name = name
    this.changes = changes
    this.#start = start
    this.#maxFailures = maxFailures
  }

  /** True while the server is running. */
  get isRunning(): boolean {
    return this.#isReady
  }

  server(): Promise<LanguageServer> {
    if (this.#failures >= this.#maxFailures)
      throw new ToolError(
        'execution_failed',
        `The language server ${this.name} failed too often and will not be restarted: the last time it ${this.#why}. Use Grep and Read instead.`,
        { code: 'server_broken', server: this.name },
      )
    return (this.#server ??= this.#begin())
  }

  async #begin(): Promise<LanguageServer> {
    try {
      const server = await this.#start(this.#end.signal)
      this.#isReady = true
      void server.ended.then((why) => this.#fail(why))
      return server
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error))
      throw new ToolError(
        'execution_failed',
        `The language server ${this.name} failed to start: it ${this.#why}.`,
        { code: 'server_start', server: this.name },
      )
    }
  }

  #fail(why: string): void {
    this.#failures++
    this.#why = why
    this.#server = undefined
    this.#isReady = false
  }

  /** Stops it permanently, even while it is starting. */
  async stop(): Promise<void> {
    this.#end.abort(new Error('was stopped'))
    const server = await this.#server?.catch(() => undefined) // The server failed to start.
    await server?.stop()
  }
}

/** After this many failures, the server is not restarted. */
const MAX_FAILURES = 4

/** A changed file: 1 created, 2 changed, 3 deleted. */
interface FileChange {
  readonly path: string
  readonly type: 1 | 2 | 3
}

/** In larger projects, only open files are checked. */
const MAX_FILES = 20_000
const SEARCH_TIMEOUT = 5000

/** Finds files that changed in a project, because servers do not watch files themselves. */
export class ChangedFiles {
  readonly #search: Search
  readonly #root: string
  readonly #endings: readonly string[]
  #times: ReadonlyMap<string, number> | undefined

  constructor(search: Search, root: string, endings: readonly string[]) {
    this.#search = search
    this.#root = root
    this.#endings = endings
  }

  /** The changes since the last call; none on the first one. */
  async changesSinceLastCall(
    signal: AbortSignal,
    open: readonly string[] = [],
  ): Promise<FileChange[]> {
    const before = this.#times
    const now = await this.#look(open, signal)
    this.#times = now
    if (!before) return []
    const changes: FileChange[] = []
    for (const [path, time] of now) {
      const old = before.get(path) ?? 0
      if (old !== time) changes.push({ path, type: old === 0 ? 1 : time === 0 ? 3 : 2 })
    }
    for (const [path, time] of before)
      if (time !== 0 && !now.has(path)) changes.push({ path, type: 3 })
    return changes
  }

  async #look(open: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const { names, timedOut } = await this.#search.names(this.#root, {
      endings: this.#endings,
      signal,
      timeout: SEARCH_TIMEOUT,
    })
    const known = timedOut || names.length > MAX_FILES ? [] : names
    const paths = [...new Set([...known.map((name) => join(this.#root, name)), ...open])]
    const times = await this.#search.times(paths)
    return new Map(paths.map((path, index) => [path, times[index]!]))
  }
}
