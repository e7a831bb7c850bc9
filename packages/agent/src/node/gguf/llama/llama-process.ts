import { fork } from 'node:child_process'
import { plainLine } from '../../../model/plain-line.ts'
import type { Token } from './library.ts'

/** The model to load, and its settings. */
export interface LoadRequest {
  /** The URL of node-llama-cpp. */
  readonly library: string
  readonly path: string
  readonly gpu: 'auto' | false
  /** The maximum size of the context, in tokens. Reduced if there is too little memory. */
  readonly contextTokens: number
  readonly threads: number | undefined
  /** The number of tokens read in one step. */
  readonly batch: number
}

/** The settings for a reply. */
export interface StartRequest {
  /** The last token of the prompt. */
  readonly token: Token
  readonly sampling: {
    readonly temperature: number
    readonly topP: number
    readonly topK: number
    readonly minP: number
    readonly seed: number
  }
  /** A grammar or JSON Schema for the reply. */
  readonly grammar: { readonly text: string } | { readonly schema: object | undefined } | undefined
}

/** The preceding tokens, which determine the text of the next one. */
export interface TokenContext {
  /** Tokens whose text is incomplete so far. */
  readonly pending: readonly Token[]
  /** The tokens before the pending ones. */
  readonly before: readonly Token[]
}

/** A token written by a model. */
export interface NextToken {
  readonly token: Token
  /** True if it ends the reply. */
  readonly isEnd: boolean
  /** The text of the pending tokens and the current one. */
  readonly text: string
}

/** A process that has loaded a model. */
export interface LlamaProcess {
  /** True if the process has ended, for any reason. */
  readonly hasEnded: boolean
  load(
    request: LoadRequest,
    onProgress: (percent: number) => void,
  ): Promise<{ readonly contextSize: number }>
  tokenize(text: string, isPrompt: boolean): Promise<Token[]>
  /** Drops all tokens after the common beginning. Returns the number of tokens left. */
  adapt(tokens: readonly Token[]): Promise<number>
  read(tokens: readonly Token[]): Promise<void>
  start(request: StartRequest): Promise<void>
  /** Generates the next token of the reply. */
  next(context: TokenContext): Promise<NextToken | undefined>
  stop(): Promise<void>
  /** Kills the process, which frees its memory. */
  end(): void
}

/** An error in the process: `name` is the name of the error, or `ended` if the process ended. */
export class LlamaFailure extends Error {
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

interface Message {
  readonly id?: number
  readonly value?: unknown
  readonly failure?: { readonly kind: string; readonly message: string }
  readonly progress?: number
}

/** Starts a process for a model. */
export function startLlamaProcess(): LlamaProcess {
  const child = fork(new URL('../../../../workers/llama.js', import.meta.url), {
    env: environment(),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const pending = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >()
  let lastId = 0
  let onProgress: ((percent: number) => void) | undefined
  let ended: LlamaFailure | undefined
  let words = ''

  // The child keeps this process alive only while requests are pending.
  const keepAlive = (isNeeded: boolean): void => {
    for (const each of [child, child.channel]) {
      if (isNeeded) each?.ref()
      else each?.unref()
    }
  }
  const stderr = child.stderr as (NodeJS.ReadableStream & { unref?: () => void }) | null
  stderr?.on('data', (bytes: Buffer) => (words = (words + bytes.toString()).slice(-1000)))
  stderr?.unref?.()
  keepAlive(false)

  child.on('message', ({ id, value, failure, progress }: Message) => {
    if (progress !== undefined) onProgress?.(progress)
    if (id === undefined) return
    const settle = pending.get(id)
    pending.delete(id)
    if (pending.size === 0) keepAlive(false)
    if (failure) settle?.reject(new LlamaFailure(failure.kind, failure.message))
    else settle?.resolve(value)
  })
  const end = (how: string): void => {
    ended ??= new LlamaFailure('ended', [how, plainLine(words)].filter(Boolean).join(': '))
    for (const { reject } of pending.values()) reject(ended)
    pending.clear()
  }
  child.on('error', ({ message }) => end(message))
  child.on('close', (code, signal) => end(signal ?? `exit code ${code}`))

  function request<Value>(operation: string, options: object = {}): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (ended) return reject(ended)
      lastId++
      pending.set(lastId, { resolve: resolve as (value: unknown) => void, reject })
      keepAlive(true)
      // If sending fails, the process is about to end.
      child.send({ id: lastId, operation, options }, () => {})
    })
  }

  return {
    get hasEnded() {
      return ended !== undefined
    },
    load(options, report) {
      onProgress = report
      return request('load', options)
    },
    tokenize: (text, isPrompt) => request('tokenize', { text, isPrompt }),
    adapt: (tokens) => request('adapt', { tokens }),
    read: (tokens) => request('read', { tokens }),
    start: (options) => request('start', options),
    next: (context) => request('next', context),
    stop: () => request('stop'),
    end() {
      child.kill('SIGKILL')
      end('it was ended')
    },
  }
}

/**
 * The environment variables that the library requires. Secrets are left out, because a model's file
 * is untrusted.
 */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name)))
}

const NEEDED =
  /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LANG|LC_\w+|LD_LIBRARY_PATH|DYLD_\w+|(CUDA|GGML|GPU|HIP|ROCR|VK)_\w+)$/i
