import { nearestDifference } from './difference.ts'
import { toRecordedRequest, type CassetteStore, requestKey, type Recording } from './recording.ts'
import { pause } from '../../time/pause.ts'
import type { Model, ModelChunk, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'

/** How a cassette records and replays. */
export interface CassetteOptions {
  readonly store: CassetteStore
  /** `auto` replays what is recorded and records the rest. */
  readonly mode: 'record' | 'replay' | 'auto'
  /** Whether chunks are replayed with their recorded timing instead of all at once. */
  readonly timed?: boolean | undefined
}

/**
 * Records the replies of a model and replays them. A request that was recorded several times gets its recordings in
 * order, and then the last one again. Only requests and replies are stored: no key, no header, no address.
 */
export function cassette(model: Model, { store, mode, timed = false }: CassetteOptions): Model {
  const played = new Map<string, number>()

  return {
    ...model,
    async *reply(request) {
      const recorded = toRecordedRequest(request, model.name)
      const key = await requestKey(recorded)
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
          `This request to ${model.name} is not on the cassette: ${nearestDifference(recorded, all)}. Record it first.`,
        )
      } else {
        yield* record(model.reply(request), request, { key, asked: recorded })
        played.set(key, take + 1)
      }
    },
  }

  /** Stores a reply only once it has ended: a reply that the caller aborted is not stored. */
  async function* record(
    reply: AsyncIterable<ModelChunk>,
    { signal }: ModelRequest,
    request: Pick<Recording, 'key' | 'asked'>,
  ): AsyncGenerator<ModelChunk, void, void> {
    const start = performance.now()
    const chunks: [number, ModelChunk][] = []
    try {
      for await (const chunk of reply) {
        chunks.push([Math.round(performance.now() - start), chunk])
        yield chunk
      }
    } catch (error) {
      if (error instanceof ModelError && !signal.aborted) {
        await store.add({ ...request, chunks, error: plainError(error) })
      }
      throw error
    }
    await store.add({ ...request, chunks })
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
