import type { Finish } from '@toolglot/core'
import type { ConnectProgress } from '../../model/find/kinds/kind.ts'
import { ModelError } from '../../model/model-error.ts'
import type { ModelChunk, ModelRequest } from '../../model/model.ts'
import { plainLine } from '../../model/plain-line.ts'
import type { TimedReply } from '../../model/timed-reply.ts'
import type { RenderedPrompt } from '../../model/template/prompt-renderer.ts'
import { unlessAborted } from '../../time/time-limit.ts'
import type { Token } from './llama/library.ts'
import { LlamaFailure, type StartRequest } from './llama/llama-process.ts'
import { BATCH, type LoadedModel } from './model-slot.ts'
import { StopStrings } from './stop-strings.ts'
import { TokenText } from './token-text.ts'

/** A request for text from a loaded model. */
interface Generation {
  readonly name: string
  readonly prompt: RenderedPrompt
  readonly request: ModelRequest
  readonly timed: TimedReply
  /** Called while the model reads a long prompt. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** Called with any work that continues after the reply is abandoned. */
  readonly onLeft: (work: Promise<unknown>) => void
}

/** Continues a prompt with a loaded model. */
export async function* generate(
  { process, contextSize }: LoadedModel,
  { name, prompt, request, timed, onProgress, onLeft }: Generation,
): AsyncGenerator<ModelChunk, void, void> {
  const { signal } = timed
  const tokens = await tokenize()
  const cached = await read()
  await start()
  const limit = Math.min(contextSize - tokens.length, request.maxTokens ?? Infinity)
  const stops = new StopStrings([...prompt.stop, ...(request.stop ?? [])])
  const writer = new TokenText(tokens)
  let output = 0
  let finish: Finish | undefined
  try {
    if (prompt.opened !== '') yield { type: 'text', delta: prompt.opened }
    while (!finish) {
      const next = await work(process.next(writer.context))
      if (!next) break
      output++
      if (next.isEnd) {
        finish = 'stop'
        break
      }
      const { text, stopped } = stops.add(writer.add(next))
      if (text !== '') yield { type: 'text', delta: text }
      if (stopped !== undefined) finish = finishAt(stopped)
      else if (output >= limit) finish = 'length'
    }
  } finally {
    onLeft(process.stop())
  }
  const { text, stopped } = stops.add(writer.end())
  const rest = text + stops.end()
  if (rest !== '') yield { type: 'text', delta: rest }
  if (stopped !== undefined) finish = finishAt(stopped)
  yield { type: 'usage', usage: { input: tokens.length, output, cached } }
  yield { type: 'finish', finish: finish ?? 'broken' }

  async function tokenize(): Promise<readonly Token[]> {
    const { length } = prompt.prompt
    const found =
      length > contextSize * MAX_TOKEN ? [] : await work(process.tokenize(prompt.prompt, true))
    if (found.length > 0 && found.length < contextSize) return found
    const count = found.length === 0 ? `${length} characters` : `${found.length} tokens`
    throw new ModelError(
      length === 0 ? 'refused' : 'context_overflow',
      `The prompt has ${count}, but must have 1 to ${contextSize - 1} tokens for ${name}: shorten the conversation, or load the model with a larger context.`,
    )
  }

  /**
   * Reads all tokens of the prompt but the last. Tokens that the model has already read are
   * skipped.
   */
  async function read(): Promise<number> {
    const before = tokens.slice(0, -1)
    const known = await work(process.adapt(before))
    for (let at = known; at < before.length; at += BATCH) {
      signal.throwIfAborted()
      if (before.length - known > BATCH)
        onProgress?.({ text: `${name} reads the prompt`, done: at, total: before.length })
      await work(process.read(before.slice(at, at + BATCH)))
    }
    return known
  }

  async function start(): Promise<void> {
    const { grammar, responseFormat } = request
    const schema =
      responseFormat?.type === 'json' ? { schema: responseFormat.schema as object } : undefined
    try {
      const token = tokens.at(-1)!
      await work(
        process.start({ token, sampling: samplingOf(request), grammar: grammar ?? schema }),
      )
    } catch (error) {
      if (!(error instanceof LlamaFailure) || error.kind !== 'BadGrammar') throw error
      throw new ModelError(
        'refused',
        `llama.cpp rejects the ${grammar ? 'grammar' : 'JSON Schema'} (${plainLine(error.message)}): correct it, or leave it out.`,
      )
    }
  }

  /** Waits for the model, which cannot be interrupted in the middle of a step. */
  async function work<Value>(step: Promise<Value>): Promise<Value> {
    try {
      return await timed.waitFor(unlessAborted(signal, step))
    } catch (error) {
      onLeft(step)
      throw error
    }
  }

  /**
   * A stop string that belongs to the prompt format, not to the request, means the end of the turn.
   */
  function finishAt(stopped: string): Finish {
    return request.stop?.includes(stopped) ? 'stop-string' : 'stop'
  }
}

/**
 * The length of the longest tokens. If a prompt is longer than a whole context of such tokens, it
 * is rejected without counting them.
 */
const MAX_TOKEN = 128

/** The sampling settings, with the same defaults as llama.cpp. */
function samplingOf(request: ModelRequest): StartRequest['sampling'] {
  const { temperature = 0.8, topP = 0.95, seed } = request
  const anySeed = Math.floor(Math.random() * MAX_SEED)
  const { topK = 40, minP = 0.05 } = bodyOf(request)
  return { temperature, topP, topK, minP, seed: (seed ?? anySeed) % MAX_SEED }
}

/** The additional fields of llama.cpp's server that also apply to files. Others are rejected. */
function bodyOf({ body = {} }: ModelRequest): { readonly topK?: number; readonly minP?: number } {
  const { top_k: topK, min_p: minP, ...others } = body
  const isCount = topK === undefined || (Number.isSafeInteger(topK) && Number(topK) >= 0)
  const isShare = minP === undefined || (typeof minP === 'number' && minP >= 0 && minP <= 1)
  const [other] = Object.keys(others)
  if (!isCount || !isShare || other !== undefined)
    throw new ModelError(
      'refused',
      `Models in files support only top_k and min_p as additional fields: leave out ${plainLine(other ?? JSON.stringify({ topK, minP }), 80)}.`,
    )
  return { topK: topK as number | undefined, minP: minP as number | undefined }
}

const MAX_SEED = 2 ** 32
