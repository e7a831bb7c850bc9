import type { ModelChunk } from '../model.ts'

/** Joins consecutive deltas of text, and of reasoning. What came before an error is there before the error. */
export function* joinDeltas(chunks: Iterable<ModelChunk>): Generator<ModelChunk, void, void> {
  let type: 'text' | 'reasoning' = 'text'
  let delta = ''
  try {
    for (const chunk of chunks) {
      if (chunk.type === type) {
        delta += chunk.delta
        continue
      }
      if (delta !== '') yield { type, delta }
      delta = ''
      if (chunk.type === 'text' || chunk.type === 'reasoning') ({ type, delta } = chunk)
      else yield chunk
    }
  } catch (error) {
    if (delta !== '') yield { type, delta }
    throw error
  }
  if (delta !== '') yield { type, delta }
}
