import type { ToolDefinition } from '@toolglot/core'
import type { Asked, Question, Questions, Told } from './messages.ts'

/** The answer is outdated. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

type ReadInput = Questions['read']['input']

interface Pending {
  readonly name: Question
  readonly input: unknown
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

/** The time after which a worker busy with outdated requests is replaced, in milliseconds. */
const PATIENCE = 2000
/** Requests about the latest text, which a new text makes obsolete. */
const ABOUT_TEXT: readonly Question[] = ['compare', 'explain', 'items', 'events', 'pieces', 'cards']
/** Requests that may be pending several times at once: pages of items, columns. */
const PARALLEL: ReadonlySet<Question> = new Set<Question>(['items', 'pieces', 'cards'])

/**
 * Sends requests to the worker. Only the newest of each kind counts: promises of older ones are
 * rejected with `OutdatedError`.
 */
export class ParseClient {
  readonly #start: () => Worker
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  /** The tools that the worker already has. */
  #sentTools: readonly ToolDefinition[] | undefined
  #last = 0
  /** The ids of requests in progress. */
  readonly #busy = new Set<number>()
  /** Set until the newest request is started. */
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(start: () => Worker) {
    this.#start = start
  }

  ask<Name extends Question>(
    name: Name,
    input: Questions[Name]['input'],
  ): Promise<Questions[Name]['output']> {
    if (!PARALLEL.has(name)) this.#drop([name])
    if (name === 'read') this.#drop(ABOUT_TEXT)
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {
        name,
        input,
        resolve: resolve as (output: unknown) => void,
        reject,
      })
      this.#post(id)
      this.#timer ??= setTimeout(() => this.#restart(), PATIENCE)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#stop()
    this.#drop([...new Set([...this.#pending.values()].map(({ name }) => name))])
  }

  #post(id: number): void {
    const { name, input } = this.#pending.get(id)!
    this.#worker ??= this.#open()
    const sent = name === 'read' ? this.#withoutKnownTools(input as ReadInput) : input
    this.#worker.postMessage({ id, name, input: sent } as Asked)
  }

  /**
   * There may be many tools, and a text is sent on every keystroke: each list of tools is sent only
   * once.
   */
  #withoutKnownTools(input: ReadInput): ReadInput {
    const { tools, ...options } = input.options
    if (!tools) return input
    const hasSameTools = tools === this.#sentTools
    this.#sentTools = tools
    return hasSameTools ? { ...input, options, hasSameTools } : input
  }

  #open(): Worker {
    const worker = this.#start()
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => this.#hear(data))
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (worker === this.#worker) this.#fail(event.message)
    })
    return worker
  }

  #hear(told: Told): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (told.type === 'begun') this.#busy.add(told.id)
    else this.#busy.delete(told.id)
    const pending = this.#pending.get(told.id)
    if (!pending || told.type === 'begun') return
    this.#pending.delete(told.id)
    if (told.type === 'answer') pending.resolve(told.output)
    else pending.reject(told.type === 'failed' ? new Error(told.message) : new OutdatedError())
  }

  /**
   * Replaces a worker that is busy with an outdated request, and sends the open requests to the new
   * one.
   */
  #restart(): void {
    this.#timer = undefined
    if (![...this.#busy].some((id) => !this.#pending.has(id))) return
    this.#stop()
    // Only the old worker had their text, unless they contain it.
    if (![...this.#pending.values()].some(({ name }) => name === 'read')) this.#drop(ABOUT_TEXT)
    for (const id of this.#pending.keys()) this.#post(id)
  }

  #stop(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#sentTools = undefined
    this.#busy.clear()
  }

  #fail(message: string): void {
    this.#stop()
    const all = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of all) reject(new Error(message))
  }

  #drop(names: readonly Question[]): void {
    for (const [id, { name, reject }] of this.#pending)
      if (names.includes(name)) {
        this.#pending.delete(id)
        reject(new OutdatedError())
      }
  }
}
