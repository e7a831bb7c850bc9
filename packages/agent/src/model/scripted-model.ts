import { checkRequest } from './check-request.ts'
import { textOf } from './chat-message.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from './model.ts'
import type { Usage } from './usage.ts'

/** A scripted reply: text, exact chunks, an error, or a function of the request. */
export type ScriptedReply =
  /**
   * If the text starts with the request's prefill, only the rest is sent, like a model that
   * continues a prefill.
   */
  | string
  | readonly ModelChunk[]
  | Error
  | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>)

/** Options for a scripted model. */
export interface ScriptOptions extends ModelFacts {
  /** Appended to the name `script`, such as `script hermes`. */
  readonly name?: string | undefined
  /** The number of characters of text per chunk. Default: all. */
  readonly chunkSize?: number | undefined
}

/** A fake model that replies from a script, one entry per turn. Its name starts with `script`. */
export function scriptedModel(
  script: readonly ScriptedReply[],
  { name, chunkSize = Infinity, ...facts }: ScriptOptions = {},
): Model & { readonly requests: readonly ModelRequest[] } {
  if (!(chunkSize >= 1)) {
    throw new TypeError(`chunkSize must be at least 1, not ${chunkSize}.`)
  }
  const requests: ModelRequest[] = []
  const fullName = name === undefined ? 'script' : `script ${name}`
  return {
    ...facts,
    name: fullName,
    provider: 'script',
    /** All requests so far, in order. */
    requests,
    async *reply(request) {
      checkRequest({ ...facts, name: fullName }, request)
      const turn = requests.length
      requests.push(request)
      let reply = script[turn]
      if (reply === undefined) {
        throw new TypeError(
          `the script has ${script.length} replies, but reply ${turn + 1} was requested`,
        )
      }
      while (typeof reply === 'function') reply = await reply(request)
      request.signal.throwIfAborted()
      if (reply instanceof Error) throw reply
      for (const chunk of typeof reply === 'string'
        ? chunksOf(continued(reply, request), request)
        : reply) {
        yield chunk
        request.signal.throwIfAborted()
      }
    },
  }

  function* chunksOf(text: string, request: ModelRequest): Generator<ModelChunk> {
    const size = Math.min(chunkSize, text.length)
    for (let at = 0; at < text.length; at += size) {
      yield { type: 'text', delta: text.slice(at, at + size) }
    }
    yield { type: 'usage', usage: roughUsage(text, request) }
    yield { type: 'finish', finish: 'stop' }
  }
}

/** The part of a reply after its prefill. */
function continued(reply: string, { prefill = '' }: ModelRequest): string {
  return reply.startsWith(prefill) ? reply.slice(prefill.length) : reply
}

/** Assumes four characters per token. */
function roughUsage(text: string, { messages }: ModelRequest): Usage {
  const length = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  return { input: Math.ceil(length / 4), output: Math.ceil(text.length / 4), estimated: true }
}
