/** What a server says may be anything: these take what has the right shape. */
export type UntypedObject = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): UntypedObject {
  return typeof value === 'object' && value !== null ? (value as UntypedObject) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text, cut where it is too long. */
export function limitedText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
}

export function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}
