import { nearestDifference } from './cassette/difference.ts'
import { askedFor, type CassetteStore, keyOf, type Recording } from './cassette/tape.ts'
import { pause } from '../time/pause.ts'
import type { Model, ModelChunk, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'

export interface CassetteOptions {
  readonly store: CassetteStore
  /** `auto` records what is not there yet. */
  readonly mode: 'record' | 'replay' | 'auto'
  /** Whether chunks come when they came, not at once. */
  readonly timed?: boolean
}

/**
 * Records what a model says, and says it again. The same request asked twice gets the recordings in their order, and then
 * the last of them. Only what was asked and answered is kept: no key, no header, no address.
 */
export function cassette(model: Model, { store, mode, timed = false }: CassetteOptions): Model {
  const played = new Map<string, number>()

  return {
    ...model,
    async *reply(request) {
      const asked = askedFor(request, model.name)
      const key = await keyOf(asked)
      const all = mode === 'record' ? [] : await store.load()
      const takes = all.filter((recording) => recording.key === key)
      const take = played.get(key) ?? 0
      const recording = takes[take] ?? (mode === 'replay' ? takes.at(-1) : undefined)
      if (recording) {
        played.set(key, take + 1)
        yield* replay(recording, request.signal, timed)
      } else if (mode === 'replay') {
        throw new ModelError(
          'refused',
          `This request to ${model.name} is not on the cassette: ${nearestDifference(asked, all)}. Record it first.`,
        )
      } else {
        yield* record(model.reply(request), request, { key, asked })
        played.set(key, take + 1)
      }
    },
  }

  /** Only what came to its end is kept: a reply that somebody stopped is none. */
  async function* record(
    reply: AsyncIterable<ModelChunk>,
    { signal }: ModelRequest,
    about: Pick<Recording, 'key' | 'asked'>,
  ): AsyncGenerator<ModelChunk, void, void> {
    const began = performance.now()
    const chunks: [number, ModelChunk][] = []
    try {
      for await (const chunk of reply) {
        chunks.push([Math.round(performance.now() - began), chunk])
        yield chunk
      }
    } catch (error) {
      if (error instanceof ModelError && !signal.aborted) {
        await store.add({ ...about, chunks, error: plainError(error) })
      }
      throw error
    }
    await store.add({ ...about, chunks })
  }
}

async function* replay(
  { chunks, error }: Recording,
  signal: AbortSignal,
  timed: boolean,
): AsyncGenerator<ModelChunk, void, void> {
  let now = 0
  for (const [time, chunk] of chunks) {
    signal.throwIfAborted()
    if (timed) await pause(time - now, signal)
    now = time
    yield chunk
  }
  signal.throwIfAborted()
  if (error) throw new ModelError(error.problem, error.message, error)
}

function plainError({
  problem,
  message,
  status,
  retryAfter,
}: ModelError): NonNullable<Recording['error']> {
  return {
    problem,
    message,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}
