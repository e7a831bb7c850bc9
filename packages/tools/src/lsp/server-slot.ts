import { ToolError } from '@toolglot/agent'
import type { ChangedFiles } from './changed-files.ts'
import type { LanguageServer } from './server.ts'

/** One server of a project: it is started when it is needed, again if it ends, and no more once that is hopeless. */
export class ServerSlot {
  readonly name: string
  readonly changes: ChangedFiles
  readonly #start: (signal: AbortSignal) => Promise<LanguageServer>
  readonly #end = new AbortController()
  readonly #most: number
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
    this.#most = maxFailures
  }

  /** It has started, and runs. */
  get isRunning(): boolean {
    return this.#isReady
  }

  server(): Promise<LanguageServer> {
    if (this.#failures >= this.#most)
      throw new ToolError(
        'execution_failed',
        `The language server ${this.name} is broken, and is not started any more: the last time it ${this.#why}. Use Grep and Read instead.`,
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
        `The language server ${this.name} does not start: it ${this.#why}.`,
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

  /** Ends it, also while it starts; it does not start again. */
  async stop(): Promise<void> {
    this.#end.abort(new Error('was stopped'))
    const server = await this.#server?.catch(() => undefined) // It did not start.
    await server?.stop()
  }
}

/** Then it is broken. */
const MAX_FAILURES = 4
