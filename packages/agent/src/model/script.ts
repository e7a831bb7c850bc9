import type { Model, ModelChunk, ModelRequest } from './model.ts'
import type { Usage } from './usage.ts'

/** What a script says in one turn: a text, chunks as they are, an error, or what a function makes of the request. */
export type ScriptedReply =
  | string
  | readonly ModelChunk[]
  | Error
  | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>)

export interface ScriptOptions extends Pick<
  Model,
  'chatTemplate' | 'contextTokens' | 'roles' | 'native' | 'price'
> {
  /** Behind `script`, such as `script hermes`. */
  readonly name?: string
  /** How many characters of a text come at once; all of them, if not told. */
  readonly chunkSize?: number
}

/** A model that is none: it says what is written for it, turn by turn. Its name says so. */
export function scriptedModel(
  script: readonly ScriptedReply[],
  { name, chunkSize = Infinity, ...facts }: ScriptOptions = {},
): Model & { readonly requests: readonly ModelRequest[] } {
  if (!(chunkSize >= 1)) {
    throw new TypeError(`expected a chunk size of at least 1, got ${chunkSize}`)
  }
  const requests: ModelRequest[] = []
  return {
    ...facts,
    name: name === undefined ? 'script' : `script ${name}`,
    provider: 'script',
    /** What it was asked, in order. */
    requests,
    async *reply(request) {
      const turn = requests.length
      requests.push(request)
      let reply = script[turn]
      if (reply === undefined) {
        throw new TypeError(
          `the script has ${script.length} replies, and reply ${turn + 1} was asked for`,
        )
      }
      while (typeof reply === 'function') reply = await reply(request)
      request.signal.throwIfAborted()
      if (reply instanceof Error) throw reply
      for (const chunk of typeof reply === 'string' ? written(reply, request) : reply) {
        yield chunk
        request.signal.throwIfAborted()
      }
    },
  }

  function* written(text: string, request: ModelRequest): Generator<ModelChunk> {
    const size = Math.min(chunkSize, text.length)
    for (let at = 0; at < text.length; at += size) {
      yield { type: 'text', delta: text.slice(at, at + size) }
    }
    yield { type: 'usage', usage: guess(text, request) }
    yield { type: 'finish', finish: 'stop' }
  }
}

/** Four characters are about a token. */
function guess(text: string, { messages }: ModelRequest): Usage {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0)
  return { input: Math.ceil(asked / 4), output: Math.ceil(text.length / 4), estimated: true }
}
