import { checkFields } from '../options/check-fields.ts'
import { type FieldRules, objectRule, orFlag, type Rule } from '../options/rule.ts'
import type { AnyTool } from '../tool/any-tool.ts'
import { describeValue } from '@toolglot/permissions/errors/internal'
import { isObject } from '../tool/json-schema.ts'
import { cacheResults, type CacheOptions } from './cache-results.ts'
import { createRegistry } from './create-registry.ts'
import type { Registry } from './registry.ts'
import { retryTools, type RetryOptions } from './retry-tools.ts'

/** The tools available to a model, and how they run. */
export interface ToolSelection {
  /**
   * A registry, or a list of tools and names of tools in `registry`. A built-in alias such as
   * `read_file` is offered instead of its tool. Default: all tools of `registry`, or none.
   */
  readonly tools?: Registry | Iterable<AnyTool | string> | ReadonlyMap<string, AnyTool> | undefined
  /**
   * The registry in which to look up the names in `tools`. Its configuration and middleware apply.
   */
  readonly registry?: Registry | undefined
  /** Cache the results of read-only tools: see `cacheResults`. Default: false. */
  readonly cacheResults?: boolean | CacheOptions | undefined
  /** Retry calls that failed with a transient error: see `retryTools`. Default: false. */
  readonly retryTools?: boolean | RetryOptions | undefined
}

const registryRule: Rule = {
  expected: 'a registry created with createRegistry()',
  test: (value) => isRegistry(value),
}

/** The rules for these options. */
export const toolSelectionRules: FieldRules<ToolSelection> = {
  tools: {
    expected: 'a registry, or a list of tools or of their names',
    test: (value) => isRegistry(value) || (typeof value === 'object' && isIterable(value)),
  },
  registry: registryRule,
  cacheResults: orFlag(objectRule()),
  retryTools: orFlag(objectRule()),
}

/**
 * Creates the registry for these options. Throws a TypeError if an option is invalid or a name is
 * unknown.
 */
export function registryOf(selection: ToolSelection): Registry {
  const { tools, registry, cacheResults: cache, retryTools: retry } = selection
  checkFields(
    'the options',
    { tools, registry, cacheResults: cache, retryTools: retry },
    toolSelectionRules,
  )
  const chosen = chosenTools(tools, registry)
  if (!cache && !retry) return chosen
  const extended = chosen.with()
  if (retry) extended.use(retryTools(retry === true ? {} : retry))
  // The cache must be the last middleware.
  if (cache) extended.use(cacheResults(cache === true ? {} : cache))
  return extended
}

function chosenTools(tools: ToolSelection['tools'], registry: Registry | undefined): Registry {
  if (tools === undefined) return registry ?? createRegistry()
  if (isRegistry(tools)) {
    if (registry && registry !== tools)
      throw new TypeError('tools and registry are two different registries. Pass one of the two.')
    return tools
  }
  const all: readonly (AnyTool | string)[] = [...(isMap(tools) ? tools.values() : tools)]
  const names = all.filter((each) => typeof each === 'string')
  const own = all.filter((each) => typeof each !== 'string')
  if (!registry) {
    if (names.length > 0)
      throw new TypeError(
        `The tool name ${describeValue(names[0])} requires a registry. Pass it as registry, or pass the tool itself.`,
      )
    return createRegistry(own)
  }
  const selected = registry.with({ tools: names })
  if (own.length === 0) return selected
  const extended = selected.with({}, own)
  // In the order in which they were passed.
  extended.configure({ tools: all.map((each) => (typeof each === 'string' ? each : each.name)) })
  return extended
}

function isRegistry(value: unknown): value is Registry {
  return (
    isObject(value) &&
    typeof value['definitions'] === 'function' &&
    typeof value['with'] === 'function'
  )
}

function isMap(value: object): value is ReadonlyMap<string, AnyTool> {
  return isObject(value) && typeof value['get'] === 'function'
}

function isIterable(value: object | null): value is Iterable<unknown> {
  return value !== null && typeof Reflect.get(value, Symbol.iterator) === 'function'
}
