import { startTimer, unlessAborted } from '../../time/time-limit.ts'
import type { ConnectProgress } from '../../model/find/kinds/kind.ts'
import { ModelError } from '../../model/model-error.ts'
import { plainLine } from '../../model/plain-line.ts'
import { LlamaFailure, type LlamaProcess, type LoadRequest } from './llama/llama-process.ts'

/** Exclusive use of the loaded model. */
interface ModelTurn {
  readonly loaded: LoadedModel
  /** Releases the model after the given work has ended. */
  readonly end: (work?: Promise<unknown>) => void
}

/**
 * Holds one loaded model, shared by all connections of a process: few machines have enough memory
 * for several, and two replies in parallel take as long as one after another. An unused model is
 * unloaded after a while.
 */
export class ModelSlot {
  #key: string | undefined
  #loaded: LoadedModel | undefined
  /** Settles when the slot is free. */
  #free: Promise<void> = Promise.resolve()
  #idle: ReturnType<typeof setTimeout> | undefined
  readonly #idleTime: number

  /** `idleTime` is the time until an unused model is unloaded, in milliseconds. */
  constructor(idleTime: number) {
    this.#idleTime = idleTime
  }

  /** Waits until the slot is free. Loads the model if the slot contains a different one. */
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
      // Aborted, or the model cannot be loaded.
      end()
      throw error
    }
  }

  /** Returns the loaded model if it has this key, without waiting. */
  peek(key: string): LoadedModel | undefined {
    return this.#key === key && !this.#loaded?.process.hasEnded ? this.#loaded : undefined
  }

  /** Unloads the model. */
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
      // A failure was reported earlier, or does not matter.
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

/** The time for a model to stop before its process is killed, in milliseconds. */
const PATIENCE = 60_000

/** The file to load, and its settings. */
export interface LoadOptions extends Omit<LoadRequest, 'library' | 'batch'> {
  /** The name of the model, for error messages. */
  readonly name: string
  /** Installs node-llama-cpp if necessary and resolves to its URL. */
  readonly library: () => Promise<string>
  /** Starts the process that loads the model. */
  readonly start: () => LlamaProcess
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
}

/** A loaded model. */
export interface LoadedModel {
  readonly process: LlamaProcess
  /** The size of its context, in tokens. */
  readonly contextSize: number
}

/** Loads a model in a separate process. */
async function loadModel(options: LoadOptions, signal: AbortSignal): Promise<LoadedModel> {
  const { path, name, gpu, contextTokens, threads, onProgress } = options
  const library = await unlessAborted(signal, options.library())
  const process = options.start()
  const stuck = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = (): void => {
    clearTimeout(timer)
    timer = startTimer(MAX_SILENCE, () => stuck.abort(stuckError(name)))
  }
  try {
    watch()
    const { contextSize } = await unlessAborted(
      AbortSignal.any([signal, stuck.signal]),
      process.load({ library, path, gpu, contextTokens, threads, batch: BATCH }, (done) => {
        watch()
        onProgress?.({ text: `Loading ${name}`, done, total: 100 })
      }),
    )
    return { process, contextSize }
  } catch (error) {
    process.end()
    signal.throwIfAborted()
    throw loadError(error, options)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The maximum time without progress while loading, in milliseconds. There is no progress until the
 * file has been read, which takes long for a large file on a slow disk.
 */
const MAX_SILENCE = 15 * 60_000

/** The number of tokens read in one step. The model cannot be stopped before they are read. */
export const BATCH = 256

function stuckError(name: string): ModelError {
  return new ModelError(
    'refused',
    `${name} was not loaded, because there was no progress for ${MAX_SILENCE / 60_000} minutes. Try again, or use a smaller model.`,
  )
}

function loadError(error: unknown, { path, name }: LoadOptions): unknown {
  if (!(error instanceof LlamaFailure)) return error
  const reason = plainLine(error.message)
  if (error.kind === 'InsufficientMemoryError')
    return new ModelError(
      'refused',
      `${name} needs more memory than is available. Close other programs, or use a smaller model or a smaller context.`,
    )
  if (error.kind === 'NoBuild')
    return new ModelError(
      'refused',
      `node-llama-cpp for ${process.platform}-${process.arch} did not start (${reason}). Reinstall it, or use a llama.cpp server (http://HOST:PORT/v1#NAME).`,
    )
  return new ModelError(
    'refused',
    `llama.cpp cannot load ${plainLine(path)} (${reason}). The file may be damaged or too new: download it again, or convert it with a current version of llama.cpp.`,
  )
}
