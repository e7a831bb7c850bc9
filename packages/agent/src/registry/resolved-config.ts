import type { Protocol } from '@toolglot/core'
import { canonicalTools, type Rule, type Verdict } from '@toolglot/permissions'
import { isServerTool } from '@toolglot/permissions/internal'
import type { Limits } from '../limits.ts'
import { findProtocol, type ToolCallConfig } from './tool-call-config.ts'

/** What a configuration comes to. */
export interface ResolvedConfig {
  readonly rules: readonly Rule[]
  readonly limits: Partial<Limits>
  /** Whether calls that only read run at once; those that change something never do. */
  readonly parallel: boolean
  /** Undefined: whichever the model writes. */
  readonly protocol: Protocol | undefined
}

/**
 * - `enabled`, `toolToggles`, `defaultToolEnabled`: which tools there are; see `isEnabled`
 * - `mode: 'manual'`, or none: what no rule allows is asked. `'auto'`: a rule allows each enabled tool that was added to
 *   the registry under a name of its own. The canonical tools, and those of MCP servers, stay under their own rules: a
 *   shell is more than one decision
 * - `requireConfirmation`: a rule asks about each enabled tool, even if another allows it
 * - `parallelExecution: false`: calls run one after the other
 * - `maxIterations`: the limit of that name. `timeout`: `toolTimeout`
 * - `protocol`: the one that the model is told
 * - `presets`: arguments that `execute` puts under those of the call
 */
export function resolveConfig(config: ToolCallConfig, enabled: Iterable<string>): ResolvedConfig {
  const { mode, requireConfirmation, parallelExecution, maxIterations, timeout, protocol } = config
  const names = [...enabled]
  const allowed = mode === 'auto' ? names.filter(isOwn) : []
  const asked = requireConfirmation ? names : []
  return {
    rules: [...allowed.map(rule('allow')), ...asked.map(rule('ask'))],
    limits: {
      ...(maxIterations !== undefined && { maxIterations }),
      ...(timeout !== undefined && { toolTimeout: timeout }),
    },
    parallel: parallelExecution ?? true,
    protocol: typeof protocol === 'string' ? findProtocol(protocol) : protocol,
  }
}

/** Whether a tool is on: what its own names say, then what its toolkit's id says, then what holds for all. */
export function isEnabled(
  { enabled, toolToggles = {}, defaultToolEnabled = true }: ToolCallConfig,
  names: readonly string[],
  toolkit: string | undefined,
): boolean {
  if (enabled === false) return false
  const said = names.flatMap((name) => (Object.hasOwn(toolToggles, name) ? toolToggles[name]! : []))
  if (said.length > 0) return !said.includes(false)
  if (toolkit !== undefined && Object.hasOwn(toolToggles, toolkit)) return toolToggles[toolkit]!
  return defaultToolEnabled
}

function isOwn(name: string): boolean {
  return !canonicalTools.has(name) && !isServerTool(name)
}

function rule(verdict: Verdict): (tool: string) => Rule {
  return (tool) => ({ verdict, text: tool, tool, source: { scope: 'cli' } })
}
