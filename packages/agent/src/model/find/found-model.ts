/** A model on a local server. */
export interface FoundModel {
  /** Its name on the server. */
  readonly name: string
  /** The context window that the server is configured for, in tokens. */
  readonly contextTokens?: number
  /** The context window it was trained for, in tokens. A server may allow fewer, and silently drop the rest. */
  readonly trainedTokens?: number
  readonly chatTemplate?: string
  /** The language of the template. */
  readonly templateLanguage?: 'jinja' | 'go'
  /** Whether the server supports function calling with it. */
  readonly tools?: boolean
  /** Whether it takes images, if the server says that it does. */
  readonly images?: true
  /** Whether it is in memory. */
  readonly loaded?: boolean
}

/** The value, if it is a valid model name. Anything may be listening on a port. */
export function validModelName(value: unknown): string | undefined {
  return typeof value === 'string' &&
    /^[\p{L}\p{N}._/~@][\p{L}\p{N}._:/~@+=,() -]{0,199}$/u.test(value)
    ? value
    : undefined
}

/** The value, if it is a valid number of tokens. */
export function validTokenCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
}

/** The value, if it can be a chat template. */
export function validTemplate(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 256 << 10 && value.trim() !== ''
    ? value
    : undefined
}

/** The objects in an array, at most 500; none if the value is not an array. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, 500)
    .filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
}

/** A copy of an object without its undefined properties. */
export function withoutUndefined<Facts extends object>(facts: {
  readonly [Key in keyof Facts]: Facts[Key] | undefined
}): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as Facts
}
