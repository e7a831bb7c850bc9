import { asObject } from '../as-object.ts'
import type { Usage } from '../usage.ts'

/** Reads the usage that a server reports; undefined if it is missing or invalid. */
export function readUsage(value: unknown): Usage | undefined {
  const given = asObject(value) ?? {}
  const input = countOf(given['prompt_tokens'])
  const output = countOf(given['completion_tokens'])
  if (input === undefined || output === undefined) return undefined
  const cached = countOf(
    asObject(given['prompt_tokens_details'])?.['cached_tokens'] ?? given['prompt_cache_hit_tokens'],
  )
  const reasoning = countOf(asObject(given['completion_tokens_details'])?.['reasoning_tokens'])
  const cost = amountOf(given['cost'])
  return {
    input,
    output,
    ...(cached !== undefined && { cached }),
    ...(reasoning !== undefined && { reasoning }),
    ...(cost !== undefined && { cost }),
  }
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? amountOf(value) : undefined
}

function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
