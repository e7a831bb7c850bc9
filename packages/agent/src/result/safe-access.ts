/** `instanceof` that never throws. */
export function isInstance<Kind>(
  value: unknown,
  kind: abstract new (...given: never[]) => Kind,
): value is Kind {
  try {
    return value instanceof kind
  } catch {
    // A proxy that throws, or was revoked.
    return false
  }
}

/** The value of a property; undefined if reading it throws. */
export function safeGet(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key]
  } catch {
    // A getter or a proxy that throws.
    return undefined
  }
}
