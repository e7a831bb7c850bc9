import { asObject } from './as-object.ts'

/** The tokens of a reply. */
export interface Usage {
  readonly input: number
  readonly output: number
  /** The part of `input` that came from a cache. */
  readonly cached?: number
  /** The part of `output` that was reasoning. */
  readonly reasoning?: number
  /** The server did not count, so these are estimates. */
  readonly estimated?: true
  /** The cost in the currency of the model's price. */
  readonly cost?: number
}

/** The price per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly currency: string
}

/** The usage before the first reply. */
export const noUsage: Usage = { input: 0, output: 0 }

/** Adds the cost of the used tokens at a price. */
export function withCost(usage: Usage, price: ModelPrice | undefined): Usage {
  if (!price || usage.cost !== undefined) return usage
  // A server may report more cached tokens than input tokens. The difference must not be negative.
  const cached = Math.min(usage.cached ?? 0, usage.input)
  const fresh = (usage.input - cached) * price.input + cached * (price.cached ?? price.input)
  return { ...usage, cost: (fresh + usage.output * price.output) / 1e6 }
}

/** The sum of two usages. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum = (key: 'cached' | 'reasoning' | 'cost'): object =>
    one[key] === undefined && other[key] === undefined
      ? {}
      : { [key]: (one[key] ?? 0) + (other[key] ?? 0) }
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    ...sum('cached'),
    ...sum('reasoning'),
    ...sum('cost'),
    ...((one.estimated || other.estimated) && { estimated: true }),
  }
}

/** Reads the usage reported by a server, or undefined if it is missing or invalid. */
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
