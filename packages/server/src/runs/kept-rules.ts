import type { RunFacts } from '@toolglot/agent'
import type { GivenRules, Workspace } from '@toolglot/workspace'
import { isStricter } from '@toolglot/workspace/internal'

/**
 * The rules that a run is continued with, besides the settings as they are now: those that were given for it at its start, and
 * those that are given now. Its mode does not become looser by itself.
 */
export function rulesToKeep(
  recorded: RunFacts['permissions'],
  given: GivenRules,
  { settings }: Pick<Workspace, 'settings'>,
): GivenRules {
  const both = (verdict: 'allow' | 'ask' | 'deny'): readonly string[] => [
    ...new Set([...(recorded?.given?.[verdict] ?? []), ...(given[verdict] ?? [])]),
  ]
  const before = recorded?.mode
  const isKept = before && isStricter(before, settings.mode ?? 'default')
  const mode = given.mode ?? (isKept ? before : undefined)
  return { allow: both('allow'), ask: both('ask'), deny: both('deny'), ...(mode && { mode }) }
}
