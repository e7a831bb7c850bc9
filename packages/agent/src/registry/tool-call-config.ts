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

/** A user's configuration of tool calls. `resolveConfig` documents the effect of each setting. */
export interface ToolCallConfig {
  /** Enable tools. If false, no tools are available. */
  readonly enabled?: boolean | undefined
  /** Run custom tools without approval (`auto`) or with it (`manual`). Default: manual. */
  readonly mode?: 'auto' | 'manual' | undefined
  /**
   * Offer only these tools. Each is the name or an alias of a tool, or the id of a toolkit, and
   * must exist. A built-in alias such as `read_file` is offered instead of its tool.
   */
  readonly tools?: readonly string[] | undefined
  /** Enable or disable tools by name, alias, or id of the toolkit. */
  readonly toolToggles?: Readonly<Record<string, boolean>> | undefined
  /** Enable tools that are not listed in `toolToggles` or `tools`. Default: true. */
  readonly defaultToolEnabled?: boolean | undefined
  /** Require approval for every call. Default: false. */
  readonly requireConfirmation?: boolean | undefined
  /** Run read-only calls in parallel. Default: true. */
  readonly parallelExecution?: boolean | undefined
  /** The maximum number of turns. */
  readonly maxIterations?: number | undefined
  /** The maximum time for each call, in milliseconds. */
  readonly timeout?: number | undefined
  /** The id of a protocol, or a custom protocol. */
  readonly protocol?: ProtocolId | Protocol | undefined
  /**
   * Default arguments by tool name. They apply to arguments that a call omits, and override the
   * defaults of the schema.
   */
  readonly presets?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** Throws a TypeError if a configuration is invalid. Does not check that the named tools exist. */
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

/** The rules, limits and other settings derived from a configuration. */
export interface ResolvedConfig {
  readonly rules: readonly Rule[]
  readonly limits: Partial<Limits>
  /** Run read-only calls in parallel. Calls that change something never run in parallel. */
  readonly parallel: boolean
  /** The selected protocol. Undefined for the model's own. */
  readonly protocol: Protocol | undefined
}

/**
 * Resolves a configuration:
 *
 * - `tools`: selects tools; see `selectEntries`
 * - `enabled`, `toolToggles`, `defaultToolEnabled`: enable tools; see `isEnabled`
 * - `mode: 'manual'`, the default: calls not allowed by a rule need approval. `'auto'`: adds a rule
 *   that allows each enabled tool, except for the canonical tools and those of MCP servers. These
 *   keep their own rules, because no single rule can decide about everything that a shell does
 * - `requireConfirmation`: adds a rule that requires approval for each enabled tool, even if
 *   another rule allows it
 * - `parallelExecution: false`: calls run one after another
 * - `maxIterations`: the limit of the same name. `timeout`: the limit `toolTimeout`
 * - `protocol`: the protocol that the model is prompted to use
 * - `presets`: arguments that `execute` adds to calls that omit them
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
 * True if a tool selected by `tools` is enabled. Toggles for its own names come first, then the one
 * for its toolkit, then the default.
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

/**
 * Merges a configuration into another one. Toggles and presets are merged by name. Undefined
 * settings are inherited.
 */
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
