import { type Model, type ModelChunk, ModelError, type ModelRequest } from '../src/index.ts'

/** A short conversation. */
export const hello: ModelRequest['messages'] = [{ role: 'user', content: 'Hello' }]

/** A request with defaults. */
export function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: hello, signal: new AbortController().signal, ...more }
}

/** All chunks of a reply. */
export async function chunksOf(
  model: Model,
  more: Partial<ModelRequest> = {},
): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.reply(request(more))) chunks.push(chunk)
  return chunks
}

/** The text of a reply. */
export function textIn(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join('')
}

/** The ModelError with which a reply fails. */
export async function failureOf(
  model: Model,
  more: Partial<ModelRequest> = {},
): Promise<ModelError> {
  const error: unknown = await chunksOf(model, more).then(
    (chunks) => new Error(`It did not fail: ${JSON.stringify(chunks).slice(0, 200)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof ModelError) return error
  throw error
}
