import { canonicalJson } from '@toolglot/permissions/internal'
import type { ModelChunk, ModelRequest } from '../model.ts'
import type { ModelProblem } from '../model-error.ts'

/** What is asked of a model, as plain data: nothing of how it is reached. */
export type RecordedRequest = Pick<
  ModelRequest,
  'messages' | 'tools' | 'stop' | 'maxTokens' | 'temperature'
> & { readonly model: string }

/** One reply, as it was recorded. */
export interface Recording {
  /** The hash of `asked`. */
  readonly key: string
  readonly asked: RecordedRequest
  /** Each with when it came, in milliseconds since it was asked for. */
  readonly chunks: readonly (readonly [time: number, chunk: ModelChunk])[]
  /** What it failed with after those chunks. */
  readonly error?: {
    readonly problem: ModelProblem
    readonly message: string
    readonly status?: number
    readonly retryAfter?: number
  }
}

/** Where recordings are kept. */
export interface CassetteStore {
  /** All of them, in the order they were made. */
  load(): Promise<readonly Recording[]>
  add(recording: Recording): Promise<void>
}

export function askedFor(
  { messages, tools, stop, maxTokens, temperature }: ModelRequest,
  model: string,
): RecordedRequest {
  return {
    model,
    messages,
    ...(tools?.length && { tools }),
    ...(stop?.length && { stop }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
  }
}

/** One text for what is asked, whatever the order of its keys: its SHA-256. */
export async function keyOf(asked: RecordedRequest): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(asked))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether a value, as a store gives it, is a recording. */
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
