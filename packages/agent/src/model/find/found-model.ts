/** A model that a server has. */
export interface FoundModel {
  /** As the server knows it. */
  readonly name: string
  /** How many tokens the server lets it see at once. */
  readonly contextTokens?: number
  /** How many it was made for: a server may allow fewer, and cut off the rest without a word. */
  readonly trainedTokens?: number
  readonly chatTemplate?: string
  /** How the template is written. */
  readonly templateLanguage?: 'jinja' | 'go'
  /** Whether the server has function calling for it. */
  readonly tools?: boolean
  /** It is in memory. */
  readonly loaded?: boolean
}

/** A name as a model may have it: what answers on a port may be anyone. */
export function modelName(value: unknown): string | undefined {
  return typeof value === 'string' &&
    /^[\p{L}\p{N}._/~@][\p{L}\p{N}._:/~@+=,() -]{0,199}$/u.test(value)
    ? value
    : undefined
}

export function tokenCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
}

export function templateText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 256 << 10 && value.trim() !== ''
    ? value
    : undefined
}

/** The objects in a list; none where it is no list. No server has more models than this. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, 500)
    .filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
}

/** What is known of something: without what is not. */
export function known<Facts extends object>(facts: {
  readonly [Key in keyof Facts]: Facts[Key] | undefined
}): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as Facts
}
