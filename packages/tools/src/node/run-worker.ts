import { Worker } from 'node:worker_threads'

/** The limits of a worker thread. */
export interface WorkerLimits {
  /** The timeout, in milliseconds. */
  readonly timeout: number
  /** The memory limit, in MB. */
  readonly memory: number
}

/** Options for `runWorker`. */
export interface WorkerOptions extends WorkerLimits {
  readonly signal: AbortSignal
}

/**
 * Processes untrusted data in a worker thread. Returns undefined if that fails for any reason. The
 * thread is terminated if it exceeds its limits of time and memory, or if the signal aborts.
 */
export async function runWorker<Result>(
  file: URL,
  data: unknown,
  { signal, timeout, memory }: WorkerOptions,
): Promise<Result | undefined> {
  signal.throwIfAborted()
  const worker = new Worker(file, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memory, stackSizeMb: 4 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Result | undefined>((resolve) => {
      worker.once('message', resolve)
      worker.once('error', () => resolve(undefined))
      worker.once('exit', () => resolve(undefined))
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
      timer = setTimeout(resolve, timeout, undefined)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
    signal.throwIfAborted()
  }
}
