/** What a server's tool is called here; undefined: it cannot be called anything. */
export function localToolName(server: string, tool: string): string | undefined {
  const name = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  return tool === '' || name.length > LONGEST ? undefined : name
}

const LONGEST = 128

/** The names that several have, or that differ by case only: nobody could tell which is meant. */
export function ambiguousNames(names: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const keyOf = (name: string): string => name.toLowerCase()
  for (const name of names) seen.set(keyOf(name), (seen.get(keyOf(name)) ?? 0) + 1)
  return new Set(names.filter((name) => seen.get(keyOf(name))! > 1))
}
