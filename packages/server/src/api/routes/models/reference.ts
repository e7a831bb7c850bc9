import { z } from 'zod'
import { publicUrl, textWithoutSecrets } from '../../without-secrets.ts'

/** How requests name a model. */
export const modelReference: z.ZodString = z
  .string()
  .min(1)
  .max(500)
  .describe('Such as ollama/qwen3:8b, or http://127.0.0.1:8080/v1#name.')

/** The name of a model without what may be secret in its URL. */
export function publicReference(reference: string): string {
  // A URL may follow what kind of model it is.
  const start = reference.search(/https?:\/\//i)
  if (start < 0) return textWithoutSecrets(reference, [])
  const hash = reference.indexOf('#', start)
  const end = hash < 0 ? reference.length : hash
  return reference.slice(0, start) + publicUrl(reference.slice(start, end)) + reference.slice(end)
}
