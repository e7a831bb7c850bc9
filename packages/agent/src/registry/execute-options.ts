import type { Permissions } from '@toolglot/permissions'
import type { ExecuteOptions } from '../tool/execute.ts'
import type { Registry } from './registry.ts'

type RegistryOptions = Required<
  Pick<ExecuteOptions, 'tools' | 'permissions' | 'middleware' | 'presets'>
>

interface CachedOptions {
  readonly revision: number
  readonly permissions: Permissions
  readonly options: RegistryOptions
}

const cache = new WeakMap<Registry, CachedOptions>()

/** The options of `execute` for a registry: its tools under all names, and permissions that include its rules. */
export function toExecuteOptions(registry: Registry, permissions: Permissions): RegistryOptions {
  const cached = cache.get(registry)
  if (cached?.revision === registry.revision && cached.permissions === permissions)
    return cached.options
  const { revision, callable, access, resolved, middleware, presets } = registry
  const rules = [...permissions.rules, ...resolved.rules]
  const tools = new Map([...(permissions.tools ?? []), ...access])
  const options = {
    tools: callable,
    permissions: { ...permissions, rules, tools },
    middleware,
    presets,
  }
  cache.set(registry, { revision, permissions, options })
  return options
}
