import { startTimer } from '../../time/start-timer.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'
import { type LoadedModel, loadModel, type LoadOptions } from './loaded-model.ts'

/** Whose turn it is to use the model that is in memory. */
export interface ModelTurn {
  readonly loaded: LoadedModel
  /** Lets the next one use it, once the work that is still going on has ended. */
  readonly end: (work?: Promise<unknown>) => void
}

/**
 * The memory for one model, which all connections of a process share: a machine has memory for one rather than several,
 * and two replies at once take as long as one after the other. A model that nobody uses for a while is released.
 */
export class ModelSlot {
  #key: string | undefined
  #loaded: LoadedModel | undefined
  /** Settles when the slot is free again. */
  #free: Promise<void> = Promise.resolve()
  #idle: ReturnType<typeof setTimeout> | undefined
  readonly #idleTime: number

  /** The time in milliseconds that a model stays in memory after it was last used. */
  constructor(idleTime: number) {
    this.#idleTime = idleTime
  }

  /** Waits until the slot is free, and loads the model into it if it has another one. */
  async use(key: string, options: LoadOptions, signal: AbortSignal): Promise<ModelTurn> {
    const end = await this.#wait(signal)
    const known = this.peek(key)
    if (known) return { loaded: known, end }
    this.#unload()
    try {
      const loaded = await loadModel(options, signal)
      this.#key = key
      this.#loaded = loaded
      return { loaded, end }
    } catch (error) {
      // Stopped, or it cannot be loaded.
      end()
      throw error
    }
  }

  /** The model that is in memory, for what takes no time. */
  peek(key: string): LoadedModel | undefined {
    return this.#key === key && !this.#loaded?.process.hasEnded ? this.#loaded : undefined
  }

  /** Releases the memory. */
  async clear(): Promise<void> {
    const end = await this.#wait(new AbortController().signal)
    this.#unload()
    end()
  }

  async #wait(signal: AbortSignal): Promise<ModelTurn['end']> {
    const before = this.#free
    let free: (() => void) | undefined
    const mine = new Promise<void>((resolve) => (free = resolve))
    this.#free = before.then(() => mine)
    const end: ModelTurn['end'] = (work = Promise.resolve()) => {
      const patience = startTimer(PATIENCE, () => this.#unload())
      patience?.unref()
      // Whether it failed was reported already, or does not matter.
      const done = (): void => {
        clearTimeout(patience)
        clearTimeout(this.#idle)
        this.#idle = startTimer(this.#idleTime, () => void this.clear())
        this.#idle?.unref()
        free?.()
      }
      work.then(done, done)
    }
    try {
      await unlessAborted(signal, before)
    } catch (error) {
      free?.()
      throw error
    }
    clearTimeout(this.#idle)
    return end
  }

  #unload(): void {
    this.#loaded?.process.end()
    this.#loaded = undefined
    this.#key = undefined
  }
}

/** How long a model may take to stop, in milliseconds, before its process is ended. */
const PATIENCE = 60_000
