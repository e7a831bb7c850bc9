import type { ToolContext } from './tool.ts'

/** What a person lets a call reach besides what its sandbox allows: everything, this time only; or these hosts from now on. */
export type NetworkAnswer = 'once' | AllowedHosts

/** Hosts that calls may reach: for the rest of the run, or by the settings of the user or of the folder. */
export interface AllowedHosts {
  readonly hosts: readonly string[]
  readonly always: 'run' | 'user' | 'folder'
}

/** What a call may reach: what a person allowed for it, and for all calls. */
export function reachableWith(
  answer: NetworkAnswer | undefined,
  hosts: readonly string[] = [],
): ToolContext['network'] {
  if (answer === 'once') return 'all'
  const all = new Set([...(answer?.hosts ?? []), ...hosts])
  return all.size > 0 ? [...all] : undefined
}
