import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BoundedMap } from '../../adapter/bounded-map.ts'
import { checkRequest } from '../../model/check-request.ts'
import { createPromptRenderer, type PromptRenderer } from '../../model/template/prompt-renderer.ts'
import type { ConnectProgress } from '../../model/find/kinds/kind.ts'
import type { Model, ModelFacts } from '../../model/model.ts'
import { ModelError } from '../../model/model-error.ts'
import { plainLine } from '../../model/plain-line.ts'
import { startReply } from '../../model/timed-reply.ts'
import { unlessAborted } from '../../time/time-limit.ts'
import { stateFolder } from '../state-folder.ts'
import { generate } from './generate.ts'
import { type GgufFile, readGgufFile } from './gguf-file.ts'
import { LlamaFailure, type LlamaProcess, startLlamaProcess } from './llama/llama-process.ts'
import { useLibrary } from './llama/use-library.ts'
import { type LoadedModel, type LoadOptions, ModelSlot } from './model-slot.ts'

/** Options for a model in a GGUF file. */
export interface GgufOptions extends Pick<ModelFacts, 'contextTokens' | 'drawsTools' | 'price'> {
  /** The path of the file, or of the first one if the model is split. */
  readonly path: string
  /**
   * The folder in which to install node-llama-cpp if it is missing. Default: in the user's state
   * folder.
   */
  readonly runtimeFolder?: string | undefined
  /** Asks the user for permission to install it. Undefined if no user is present. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
  /** Called while the first request loads the model, and while the model reads a long prompt. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** The number of threads. Default: the number of idle cores. */
  readonly threads?: number | undefined
  /** Use a graphics card if there is one. Default: 'auto'. */
  readonly gpu?: 'auto' | false | undefined
  /** The maximum time without output, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** The maximum total time for a reply, in milliseconds. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Connects to the model in a GGUF file. Reads only the metadata. The first request loads the model.
 * It is unloaded by a request to another model, or after ten minutes without requests.
 */
export async function ggufModel(
  options: GgufOptions,
  start: () => LlamaProcess = startLlamaProcess,
): Promise<Model> {
  const { path, confirm, onProgress, threads, gpu = 'auto', signal } = options
  const { runtimeFolder: folder = join(stateFolder(process.env), 'models-runtime') } = options
  const { idleTimeout, timeout } = options
  const { file, key, renderer } = await readCached(path, signal)
  const name = plainLine(file.name ?? '', 100) || basename(path, '.gguf')
  const contextTokens = Math.min(
    options.contextTokens ?? DEFAULT_CONTEXT,
    file.contextTokens ?? Infinity,
  )
  const load: LoadOptions = {
    path,
    name,
    contextTokens,
    threads,
    gpu,
    onProgress,
    start,
    library: () => useLibrary({ folder, confirm, onProgress }),
  }
  const slotKey = JSON.stringify([key, contextTokens, threads, gpu])
  const facts: ModelFacts = {
    prefill: true,
    grammars: ['gbnf'],
    ...renderer.facts,
    contextTokens,
    drawsTools: options.drawsTools ?? renderer.facts.drawsTools,
    price: options.price,
  }

  return {
    ...facts,
    name,
    provider: 'GGUF',

    async countTokens(text, stop) {
      const count = async ({ process }: LoadedModel): Promise<number> =>
        (await unlessAborted(stop, process.tokenize(text, false))).length
      const known = slot.peek(slotKey)
      if (known) return count(known)
      const { loaded, end } = await slot.use(slotKey, load, stop)
      try {
        return await count(loaded)
      } finally {
        end()
      }
    },

    async *reply(request) {
      checkRequest({ ...facts, name }, request)
      const timed = startReply(request, { idleTimeout, timeout, name })
      try {
        const rendered = renderer.render(request)
        // llama.cpp itself detects the tokens that end a turn. The same characters in text, such as
        // </s> in HTML, end nothing.
        const prompt = file.chatTemplate === undefined ? rendered : { ...rendered, stop: [] }
        const { loaded, end } = await timed.waitForTurn(slot.use(slotKey, load, timed.signal))
        const left: Promise<unknown>[] = []
        try {
          const onLeft = (work: Promise<unknown>): void => void left.push(work)
          yield* generate(loaded, { name, prompt, request, timed, onProgress, onLeft })
        } finally {
          end(Promise.allSettled(left))
        }
      } catch (error) {
        // Report the reason of an abort instead of the failure it caused.
        timed.throwIfAborted()
        throw explain(error, name)
      } finally {
        timed.end()
      }
    },
  }
}

/** Unloads the model and frees its memory. */
export function unloadGguf(): Promise<void> {
  return slot.clear()
}

/**
 * The memory for the context is allocated when a model is loaded. The full context of many models
 * would exceed a machine's memory.
 */
const DEFAULT_CONTEXT = 32_768

const slot = new ModelSlot(10 * 60_000)

interface KnownFile {
  /** The path, modification time and size of the file. */
  readonly key: string
  readonly file: GgufFile
  readonly renderer: PromptRenderer
}

const files = new BoundedMap<KnownFile>(16)

/** Reads a file again only if it has changed. */
async function readCached(path: string, signal: AbortSignal | undefined): Promise<KnownFile> {
  // If the file does not exist, reading it will report that.
  const status = await stat(path).catch(() => undefined)
  const key = JSON.stringify([path, status?.mtimeMs, status?.size])
  const known = files.get(path)
  if (known?.key === key) return known
  const file = await readGgufFile(path, signal ? { signal } : {})
  checkFile(file, path)
  const read = { key, file, renderer: createPromptRenderer(file) }
  files.set(path, read, 1)
  return read
}

function checkFile({ type, architecture, part = 0, parts = 1 }: GgufFile, path: string): void {
  const refuse = (problem: string): ModelError =>
    new ModelError('refused', `${plainLine(path)} ${problem}.`)
  if (part > 0)
    throw refuse(
      `is part ${part + 1} of ${parts}. Use the path of the first part, and keep all parts in one folder`,
    )
  if ((type !== undefined && type !== 'model') || architecture === 'clip')
    throw refuse(
      `contains only a part of a model (${plainLine(type ?? 'mmproj')}). Use the file of the model itself`,
    )
}

function explain(error: unknown, name: string): unknown {
  if (!(error instanceof LlamaFailure)) return error
  const reason = plainLine(error.message)
  if (error.kind === 'ended')
    return new ModelError(
      'cut_off',
      `The process of ${name} ended before the reply did (${reason}). The next request loads the model again.`,
    )
  return new ModelError('refused', `${name} failed (${reason}). Try a shorter conversation.`)
}
