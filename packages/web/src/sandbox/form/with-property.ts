/** An object with another value under a name; without the name, if the value is undefined. The order stays. */
export function withProperty(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const entries = Object.entries(object)
  const at = entries.findIndex(([each]) => each === name)
  const next: [string, unknown][] = value === undefined ? [] : [[name, value]]
  // Not by assignment: a name such as __proto__ is a name like others.
  return Object.fromEntries(
    at < 0 ? [...entries, ...next] : [...entries.slice(0, at), ...next, ...entries.slice(at + 1)],
  )
}

/** An object in which a value has another name. The order stays. */
export function renamed(
  object: Readonly<Record<string, unknown>>,
  name: string,
  next: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([each, value]) => [each === name ? next : each, value]),
  )
}
