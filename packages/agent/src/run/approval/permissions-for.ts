import { type Permissions, readRuleList } from '@toolglot/permissions'
import type { Registry } from '../../registry/registry.ts'
import type { RunOptions } from '../options.ts'

/** What may run, with the run's own tools known by name. Without anyone to ask, what would ask is denied. */
export function permissionsFor(options: RunOptions, registry: Registry): Permissions {
  const { permissions = {}, approve, attended } = options
  const given = 'rules' in permissions ? permissions.tools : undefined
  const tools = new Map([...(given ?? []), ...registry.access])
  const interactive = approve !== undefined || attended === true
  if ('rules' in permissions) {
    return { ...permissions, tools, interactive: interactive && permissions.interactive !== false }
  }
  const { mode, commandFiles } = permissions
  const read = (['deny', 'ask', 'allow'] as const).map((verdict) =>
    readRuleList(permissions[verdict] ?? [], verdict, { scope: 'cli' }, tools),
  )
  const [problem] = read.flatMap(({ problems }) => problems)
  if (problem) throw new TypeError(`The rule ${problem.text} is wrong: ${problem.problem}`)
  return {
    rules: read.flatMap(({ rules }) => rules),
    ...(mode && { mode }),
    ...(commandFiles && { commandFiles }),
    tools,
    interactive,
  }
}
