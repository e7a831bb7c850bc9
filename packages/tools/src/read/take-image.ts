import type { Image } from './read-result.ts'

/** A result as plain data, and its picture beside it: once is enough. Undefined: it is no object. */
export function takeImage(
  result: unknown,
): { readonly data: Record<string, unknown>; readonly image?: Image } | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined
  const plain = result as Record<string, unknown>
  const { image } = result as { image?: Image }
  if (!image) return { data: plain }
  const { data: _, ...facts } = image
  return { data: { ...plain, image: facts }, image }
}
