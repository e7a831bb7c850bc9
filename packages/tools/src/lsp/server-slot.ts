import { ToolError } from '@toolglot/agent'
import type { ChangedFiles } from './changed-files.ts'
import type { LanguageServer } from './server.ts'

/** The server of a project: started on demand, and again if it ends, until it has failed too often. */
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

  /** Whether it has started and is still running. */
  get isRunning(): boolean {
    return this.#isReady
  }

  server(): Promise<LanguageServer> {
    if (this.#failures >= this.#maxFailures)
      throw new ToolError(
        'execution_failed',
        `The language server ${this.name} failed too often and is not started again: the last time it ${this.#why}. Use Grep and Read instead.`,
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

  /** Stops it for good, even while it is starting. */
  async stop(): Promise<void> {
    this.#end.abort(new Error('was stopped'))
    const server = await this.#server?.catch(() => undefined) // It failed to start.
    await server?.stop()
  }
}

/** After this many failures it is not started again. */
const MAX_FAILURES = 4
