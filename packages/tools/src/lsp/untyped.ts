/** What a server says may be anything: these take what has the right shape. */
export type Shape = Readonly<Record<string, unknown>>

export function shapeOf(value: unknown): Shape {
  return typeof value === 'object' && value !== null ? (value as Shape) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text, cut where it is too long. */
export function textOf(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.length > longest ? `${value.slice(0, longest)}…` : value
}

export function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}
