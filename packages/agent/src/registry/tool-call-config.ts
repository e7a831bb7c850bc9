import { type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { canonicalTools, type Rule, type Verdict } from '@toolglot/permissions'
import { isServerTool } from '@toolglot/permissions/internal'
import { checkFields } from '../options/check-fields.ts'
import {
  type FieldRules,
  flag,
  listOf,
  milliseconds,
  objectOf,
  objectRule,
  oneOf,
  positiveInteger,
  text,
} from '../options/rule.ts'
import { isObject } from '../tool/json-schema.ts'
import { withoutUndefined } from '../options/without-undefined.ts'
import type { Limits } from '../limits.ts'

/** A person's configuration of tool calls. `resolveConfig` documents the effect of each setting. */
export interface ToolCallConfig {
  /** If false, there are no tools. */
  readonly enabled?: boolean | undefined
  /** Whether custom tools run without approval. Default: manual. */
  readonly mode?: 'auto' | 'manual' | undefined
  /**
   * Only these tools, each by its name, an alias, or the id of its toolkit. Names must exist. A built-in alias, such as
   * `read_file`, is offered in place of its tool.
   */
  readonly tools?: readonly string[] | undefined
  /** Whether a tool is enabled, by its name, an alias, or the id of its toolkit. */
  readonly toolToggles?: Readonly<Record<string, boolean>> | undefined
  /** Whether tools that neither `toolToggles` nor `tools` names are enabled. Default: true. */
  readonly defaultToolEnabled?: boolean | undefined
  /** Whether every call needs approval. Default: false. */
  readonly requireConfirmation?: boolean | undefined
  /** Whether read-only calls run in parallel. Default: true. */
  readonly parallelExecution?: boolean | undefined
  /** The maximum number of turns. */
  readonly maxIterations?: number | undefined
  /** For each call, in milliseconds. */
  readonly timeout?: number | undefined
  /** The id of a protocol, or a custom protocol. */
  readonly protocol?: ProtocolId | Protocol | undefined
  /** Arguments by tool name, for those that a call does not set. They override the defaults of the schema. */
  readonly presets?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** Throws a TypeError if a configuration is invalid. Names of tools are not looked up. */
export function checkConfig(config: unknown): asserts config is ToolCallConfig {
  checkFields('the tool configuration', config, RULES)
  const { protocol } = config as ToolCallConfig
  if (typeof protocol === 'string') resolveProtocol(protocol)
}

const RULES: FieldRules<ToolCallConfig> = {
  enabled: flag,
  mode: oneOf('auto', 'manual'),
  tools: listOf(text, 'names of tools'),
  toolToggles: objectOf(flag, 'true or false by name'),
  defaultToolEnabled: flag,
  requireConfirmation: flag,
  parallelExecution: flag,
  maxIterations: positiveInteger,
  timeout: milliseconds,
  protocol: {
    expected: 'the id of a protocol, or a protocol',
    test: (value) => typeof value === 'string' || (isObject(value) && Array.isArray(value['call'])),
  },
  presets: objectOf(objectRule(), 'arguments by tool name'),
}

/** The rules, limits and other settings that follow from a configuration. */
export interface ResolvedConfig {
  readonly rules: readonly Rule[]
  readonly limits: Partial<Limits>
  /** Whether read-only calls run in parallel. Calls that change something never do. */
  readonly parallel: boolean
  /** Undefined for the model's own protocol. */
  readonly protocol: Protocol | undefined
}

/**
 * Resolves a configuration:
 *
 * - `tools`: which tools there are; see `selectEntries`
 * - `enabled`, `toolToggles`, `defaultToolEnabled`: which of them are enabled; see `isEnabled`
 * - `mode: 'manual'`, the default: a call that no rule allows needs approval. `'auto'`: a rule allows each enabled tool,
 *   except for the canonical tools and those of MCP servers. These keep their own rules, because one rule cannot decide
 *   about everything that a shell does
 * - `requireConfirmation`: a rule asks about each enabled tool, even if another rule allows it
 * - `parallelExecution: false`: calls run one after another
 * - `maxIterations`: the limit of that name. `timeout`: the limit `toolTimeout`
 * - `protocol`: the protocol that the model is told to use
 * - `presets`: arguments that `execute` adds to a call if it does not set them
 */
export function resolveConfig(config: ToolCallConfig, enabled: Iterable<string>): ResolvedConfig {
  const { mode, requireConfirmation, parallelExecution, maxIterations, timeout, protocol } = config
  const names = [...enabled]
  const allowed = mode === 'auto' ? names.filter(isCustomTool) : []
  const asked = requireConfirmation ? names : []
  return {
    rules: [...allowed.map(ruleFor('allow')), ...asked.map(ruleFor('ask'))],
    limits: {
      ...(maxIterations !== undefined && { maxIterations }),
      ...(timeout !== undefined && { toolTimeout: timeout }),
    },
    parallel: parallelExecution ?? true,
    protocol: protocol && resolveProtocol(protocol),
  }
}

/**
 * Whether a tool is enabled, of those that `tools` selects: decided by its own names, then by the id of its toolkit, then by
 * the default.
 */
export function isEnabled(
  { enabled, tools, toolToggles = {}, defaultToolEnabled = true }: ToolCallConfig,
  names: readonly string[],
  toolkit: string | undefined,
): boolean {
  if (enabled === false) return false
  const toggles = names.flatMap((name) =>
    Object.hasOwn(toolToggles, name) ? toolToggles[name]! : [],
  )
  if (toggles.length > 0) return !toggles.includes(false)
  if (toolkit !== undefined && Object.hasOwn(toolToggles, toolkit)) return toolToggles[toolkit]!
  return tools !== undefined || defaultToolEnabled
}

function isCustomTool(name: string): boolean {
  return !canonicalTools.has(name) && !isServerTool(name)
}

function ruleFor(verdict: Verdict): (tool: string) => Rule {
  return (tool) => ({ verdict, text: tool, tool, source: { scope: 'cli' } })
}

/** A configuration over another one. Toggles and presets are merged by name; undefined settings are inherited. */
export function mergeConfig(base: ToolCallConfig, own: ToolCallConfig): ToolCallConfig {
  const { toolToggles, presets } = own
  return {
    ...base,
    ...withoutUndefined(own),
    ...(toolToggles && { toolToggles: { ...base.toolToggles, ...toolToggles } }),
    ...(presets && { presets: mergePresets(base.presets ?? {}, presets) }),
  }
}

type Presets = NonNullable<ToolCallConfig['presets']>

function mergePresets(base: Presets, own: Presets): Presets {
  const names = [...new Set([...Object.keys(base), ...Object.keys(own)])]
  return Object.fromEntries(names.map((name) => [name, { ...at(base, name), ...at(own, name) }]))
}

function at(presets: Presets, name: string): Presets[string] {
  return Object.hasOwn(presets, name) ? presets[name]! : {}
}
