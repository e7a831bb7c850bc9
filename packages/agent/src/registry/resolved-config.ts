import { type Protocol, resolveProtocol } from '@toolglot/core'
import { canonicalTools, type Rule, type Verdict } from '@toolglot/permissions'
import { isServerTool } from '@toolglot/permissions/internal'
import type { Limits } from '../limits.ts'
import type { ToolCallConfig } from './tool-call-config.ts'

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
