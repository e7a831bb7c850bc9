import type { Tool } from '@toolglot/agent'
import { aliases, nearest } from '@toolglot/permissions/internal'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'
import type { OpenTools } from './open-tools.ts'

/**
 * The tools that a person named, in that order: by name, alias, toolkit or MCP server (`mcp__github`). Throws a UserError for a
 * name that means none, or only tools that settings turn off.
 */
export function selectTools(
  { tools, whyDisabled }: Pick<OpenTools, 'tools' | 'whyDisabled'>,
  names: readonly string[],
): ReadonlyMap<string, Tool> {
  const all = [...tools.values()]
  const found = names.flatMap((name) => {
    const meant = aliases.get(name)?.tool ?? name.replace(/__\*$/, '')
    const named = all.filter((tool) => namesOf(tool).includes(meant))
    if (named.length === 0) throw unknownTool(name, all, whyDisabled(name)?.reason)
    return named
  })
  return new Map(found.map((tool) => [tool.name, tool]))
}

function namesOf({ name, server, toolkit }: Tool): readonly string[] {
  const kit = server === undefined ? toolkit : `mcp__${server}`
  return kit === undefined ? [name] : [name, kit]
}

function unknownTool(name: string, all: readonly Tool[], disabled: string | undefined): UserError {
  const names = [...new Set(all.flatMap(namesOf))]
  const [close] = nearest(name, [...names, ...aliases.keys()])
  return new UserError('usage', {
    expected: 'the name of a tool',
    got: quote(name),
    advice:
      disabled ??
      (close === undefined ? `there are ${names.join(', ')}` : `did you mean ${close}?`),
  })
}
