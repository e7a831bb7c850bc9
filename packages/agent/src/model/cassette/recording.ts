import { canonicalJson } from '@toolglot/permissions/internal'
import type { ModelChunk, ModelRequest } from '../model.ts'
import type { ModelProblem } from '../model-error.ts'

/** A request to a model as plain data, without its connection. */
export type RecordedRequest = Pick<
  ModelRequest,
  | 'messages'
  | 'tools'
  | 'toolChoice'
  | 'prefill'
  | 'grammar'
  | 'responseFormat'
  | 'stop'
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'seed'
  | 'body'
> & { readonly model: string }

/** A recorded reply with its request. */
export interface Recording {
  /** The hash of `asked`. */
  readonly key: string
  readonly asked: RecordedRequest
  /** The chunks, each with its time in milliseconds since the request. */
  readonly chunks: readonly (readonly [time: number, chunk: ModelChunk])[]
  /** The error that ended the reply after these chunks. */
  readonly error?: {
    readonly problem: ModelProblem
    readonly message: string
    readonly status?: number
    readonly retryAfter?: number
  }
}

/** Stores recordings in memory (`memoryCassette`) or in a file (`cassetteFile`). */
export interface CassetteStore {
  /** All recordings, oldest first. */
  load(): Promise<readonly Recording[]>
  add(recording: Recording): Promise<void>
}

/** Stores recordings in memory. */
export function memoryCassette(recordings: Recording[] = []): CassetteStore {
  return {
    load: () => Promise.resolve(recordings),
    add: (recording) => Promise.resolve(void recordings.push(recording)),
  }
}

/**
 * The recorded part of a request. Default values are left out, so that older recordings keep their
 * keys.
 */
export function toRecordedRequest(request: ModelRequest, model: string): RecordedRequest {
  const { messages, tools, toolChoice = 'auto', prefill, grammar, responseFormat, stop } = request
  const { maxTokens, temperature, topP, seed, body } = request
  return {
    model,
    messages,
    ...(tools?.length && { tools }),
    ...(toolChoice !== 'auto' && { toolChoice }),
    ...(prefill && { prefill }),
    ...(grammar && { grammar }),
    ...(responseFormat && responseFormat.type !== 'text' && { responseFormat }),
    ...(stop?.length && { stop }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(body && Object.keys(body).length > 0 && { body }),
  }
}

/** The SHA-256 of a request, independent of the order of its keys. */
export async function requestKey(request: RecordedRequest): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(request))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** True if a stored value is a recording. */
export function isRecording(value: unknown): value is Recording {
  const { key, asked, chunks } = (value ?? {}) as Partial<Record<keyof Recording, unknown>>
  return (
    typeof key === 'string' &&
    typeof asked === 'object' &&
    asked !== null &&
    Array.isArray((asked as RecordedRequest).messages) &&
    Array.isArray(chunks) &&
    chunks.every((each) => Array.isArray(each) && typeof each[0] === 'number')
  )
}
