/** `instanceof`, for values that may not be looked at. */
export function isInstance<Kind>(
  value: unknown,
  kind: abstract new (...given: never[]) => Kind,
): value is Kind {
  try {
    return value instanceof kind
  } catch {
    // A proxy that throws, or that was revoked.
    return false
  }
}

/** What stands under a key; undefined where looking throws. */
export function safeGet(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key]
  } catch {
    // A getter or a proxy that throws.
    return undefined
  }
}
