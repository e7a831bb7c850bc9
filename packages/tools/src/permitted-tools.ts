import { judgeFile, type Permissions, type Tool } from '@toolglot/agent'
import { createTools, type ToolsOptions } from './create-tools.ts'
import type { Host } from './host/host.ts'

/** The tools as permissions would have them: what may not be read is not found, and where a page leads is decided on. */
export function permittedTools(
  host: Host,
  { rules }: Pick<Permissions, 'rules'>,
  options: Omit<ToolsOptions, 'allowed' | 'rules'> = {},
): ReadonlyMap<string, Tool> {
  const { world } = host
  const judge = judgeFile(rules, world)
  const allowed = (path: string): boolean =>
    judge({ kind: 'read', path, cwd: world.cwd, because: 'search' }).verdict !== 'deny'
  return createTools(host, { ...options, allowed, rules: () => rules })
}
