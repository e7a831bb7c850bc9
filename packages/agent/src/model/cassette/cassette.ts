import { canonicalJson } from '@toolglot/permissions/internal'
import {
  toRecordedRequest,
  type CassetteStore,
  requestKey,
  type Recording,
  type RecordedRequest,
} from './recording.ts'
import { pause } from '../../time/time-limit.ts'
import type { Model, ModelChunk, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { ChatMessage } from '../chat-message.ts'
import { plainLine } from '../plain-line.ts'

/** Options for a cassette. */
export interface CassetteOptions {
  readonly store: CassetteStore
  /** `auto` replays recorded requests and records all new ones. */
  readonly mode: 'record' | 'replay' | 'auto'
  /**
   * Replay chunks with their recorded timing. Default: false, which sends all chunks immediately.
   */
  readonly timed?: boolean | undefined
}

/**
 * Records and replays the replies of a model. If a request was recorded several times, its
 * recordings are replayed in order, and then the last one repeats. Only requests and replies are
 * stored: no keys, headers or addresses.
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

  /** Stores a reply once it is complete. A reply aborted by the caller is not stored. */
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
    status,
    retryAfter,
  }
}

/** Describes the difference between a request and the most similar recording. */
function nearestDifference(request: RecordedRequest, recordings: readonly Recording[]): string {
  if (recordings.length === 0) return 'it has no recordings'
  const differences = recordings.map((recording) => compare(recording.asked, request))
  const nearest = differences.reduce((best, each) => (each.distance < best.distance ? each : best))
  return `the most similar of ${recordings.length} recordings differs ${nearest.first}`
}

interface Difference {
  /** The number of different messages and options. */
  readonly distance: number
  /** The location of the first difference, for people. */
  readonly first: string
}

function compare(recorded: RecordedRequest, request: RecordedRequest): Difference {
  const same = sharedMessages(recorded, request)
  const other = KEYS.filter((key) => canonicalJson(recorded[key]) !== canonicalJson(request[key]))
  const longest = Math.max(recorded.messages.length, request.messages.length)
  const distance = longest - same + other.length
  if (same === longest) {
    const [key = 'model'] = other
    return {
      distance,
      first: `in ${key}: recorded ${brief(recorded[key])}, requested ${brief(request[key])}`,
    }
  }
  const [recordedMessage, message] = [recorded.messages[same], request.messages[same]]
  if (!recordedMessage || !message) {
    const [before, now] = [recorded, request].map(({ messages }) => messages.length)
    return { distance, first: `in the number of messages: recorded ${before}, requested ${now}` }
  }
  const [before, now] = textsOf(recordedMessage, message)
  const at = firstDifference(before, now)
  const role =
    recordedMessage.role === message.role
      ? message.role
      : `${recordedMessage.role}, now ${message.role}`
  return {
    distance,
    first: `in message ${same + 1} (${role}), character ${at + 1}: recorded ${textAt(before, at)}, requested ${textAt(now, at)}`,
  }
}

const KEYS = [
  'model',
  'tools',
  'toolChoice',
  'prefill',
  'grammar',
  'responseFormat',
  'stop',
  'maxTokens',
  'temperature',
  'topP',
  'seed',
  'body',
] as const satisfies readonly (keyof RecordedRequest)[]

/**
 * The text of two messages to compare: their contents, or the whole messages if the contents are
 * equal or contain more than text.
 */
function textsOf(one: ChatMessage, other: ChatMessage): readonly [string, string] {
  const [before, now] = [one.content, other.content]
  return typeof before === 'string' && typeof now === 'string' && before !== now
    ? [before, now]
    : [canonicalJson(before === now ? one : before), canonicalJson(before === now ? other : now)]
}

function sharedMessages(one: RecordedRequest, other: RecordedRequest): number {
  const differs = one.messages.findIndex(
    (message, index) => canonicalJson(message) !== canonicalJson(other.messages[index]),
  )
  return differs < 0 ? one.messages.length : differs
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function textAt(text: string, at: number): string {
  return at < text.length
    ? JSON.stringify(plainLine(text.slice(at, at + 40)))
    : 'the end of the text'
}

function brief(value: unknown): string {
  return value === undefined ? 'none' : plainLine(canonicalJson(value), 80)
}
