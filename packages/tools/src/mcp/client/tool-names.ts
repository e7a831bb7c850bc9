/** The name of a server's tool here; undefined if it is empty or too long. */
export function localToolName(server: string, tool: string): string | undefined {
  const name = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  return tool === '' || name.length > MAX_LENGTH ? undefined : name
}

const MAX_LENGTH = 128

/** The names that occur more than once, ignoring case. */
export function ambiguousNames(names: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const keyOf = (name: string): string => name.toLowerCase()
  for (const name of names) seen.set(keyOf(name), (seen.get(keyOf(name)) ?? 0) + 1)
  return new Set(names.filter((name) => seen.get(keyOf(name))! > 1))
}
