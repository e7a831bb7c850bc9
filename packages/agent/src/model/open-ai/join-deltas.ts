import type { ModelChunk } from '../model.ts'

/**
 * Joins consecutive deltas of text, and of reasoning. What came before an error is there before the error. They are copied
 * together: one that refers to the events it was cut out of would keep all of these in memory.
 */
export function* joinDeltas(chunks: Iterable<ModelChunk>): Generator<ModelChunk, void, void> {
  let type: 'text' | 'reasoning' = 'text'
  let deltas: string[] = []
  function* joined(): Generator<ModelChunk, void, void> {
    const delta = deltas.join('')
    deltas = []
    if (delta !== '') yield { type, delta }
  }
  try {
    for (const chunk of chunks) {
      if (chunk.type !== type) yield* joined()
      if (chunk.type === 'text' || chunk.type === 'reasoning') {
        type = chunk.type
        deltas.push(chunk.delta)
      } else yield chunk
    }
  } catch (error) {
    yield* joined()
    throw error
  }
  yield* joined()
}
