import type { Usage } from '../usage.ts'

/** What a server counted; undefined where it is not what servers count. */
export function usageOf(value: unknown): Usage | undefined {
  const given = record(value)
  const input = countOf(given['prompt_tokens'])
  const output = countOf(given['completion_tokens'])
  if (input === undefined || output === undefined) return undefined
  const cached = countOf(
    record(given['prompt_tokens_details'])['cached_tokens'] ?? given['prompt_cache_hit_tokens'],
  )
  const reasoning = countOf(record(given['completion_tokens_details'])['reasoning_tokens'])
  const cost = amountOf(given['cost'])
  return {
    input,
    output,
    ...(cached !== undefined && { cached }),
    ...(reasoning !== undefined && { reasoning }),
    ...(cost !== undefined && { cost }),
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? amountOf(value) : undefined
}

function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
