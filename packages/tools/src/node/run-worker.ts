import { Worker } from 'node:worker_threads'

export interface WorkerLimits {
  /** In milliseconds. */
  readonly timeout: number
  /** In MB. */
  readonly memory: number
}

export interface WorkerOptions extends WorkerLimits {
  readonly signal: AbortSignal
}

/**
 * What a thread of its own makes of a stranger's data; undefined if it fails, whyever. It is ended when it takes too long
 * or too much, or is not wanted any more.
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
