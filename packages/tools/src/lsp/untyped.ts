/** A value from a server, which may be anything. */
export type UntypedObject = Readonly<Record<string, unknown>>

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): UntypedObject {
  return typeof value === 'object' && value !== null ? (value as UntypedObject) : {}
}

/** The value if it is an array, otherwise an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value if it is a string, truncated to a maximum length. */
export function limitedText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
}

/** The value if it is a non-negative integer, otherwise 0. */
export function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}
