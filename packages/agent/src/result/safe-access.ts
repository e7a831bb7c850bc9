/** `instanceof` that never throws. */
export function isInstance<Kind>(
  value: unknown,
  kind: abstract new (...given: never[]) => Kind,
): value is Kind {
  try {
    return value instanceof kind
  } catch {
    // A proxy threw or was revoked.
    return false
  }
}

/** The value of a property, or undefined if reading it throws. */
export function safeGet(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key]
  } catch {
    // A getter or a proxy threw.
    return undefined
  }
}
