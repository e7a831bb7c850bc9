import type { Permissions } from '@toolglot/permissions'
import type { ExecuteOptions } from '../tool/execute.ts'
import type { Registry } from './registry.ts'

type Executing = Required<Pick<ExecuteOptions, 'tools' | 'permissions' | 'middleware' | 'presets'>>

const known = new WeakMap<Registry, { revision: number; given: Permissions; is: Executing }>()

/** What `execute` is told of a registry: its tools under every name, and permissions that know them and its rules. */
export function toExecuteOptions(registry: Registry, permissions: Permissions): Executing {
  const before = known.get(registry)
  if (before && before.revision === registry.revision && before.given === permissions)
    return before.is
  const { revision, callable, access, resolved, middleware, presets } = registry
  const rules = [...permissions.rules, ...resolved.rules]
  const tools = new Map([...(permissions.tools ?? []), ...access])
  const is = { tools: callable, permissions: { ...permissions, rules, tools }, middleware, presets }
  known.set(registry, { revision, given: permissions, is })
  return is
}
