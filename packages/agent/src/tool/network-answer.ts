import type { ToolContext } from './tool.ts'

/**
 * Network access granted by a person beyond the sandbox: unrestricted access for this call only, or
 * access to certain hosts from now on.
 */
export type NetworkAnswer = 'once' | AllowedHosts

/**
 * Hosts that calls can reach: for the rest of the run, or through the settings of the user or the
 * folder.
 */
export interface AllowedHosts {
  readonly hosts: readonly string[]
  readonly always: 'run' | 'user' | 'folder'
}

/**
 * The network access of a call: combines the access granted for it with the access of all calls.
 */
export function reachableWith(
  answer: NetworkAnswer | undefined,
  hosts: readonly string[] = [],
): ToolContext['network'] {
  if (answer === 'once') return 'all'
  const all = new Set([...(answer?.hosts ?? []), ...hosts])
  return all.size > 0 ? [...all] : undefined
}

/**
 * True if a string is the name or address of a single host, normalized like in `URL`: no port, path
 * or wildcard.
 */
export function isHostName(text: string): boolean {
  if (text.length > 253 || !URL.canParse(`http://${text}`)) return false
  // `URL` accepts `*.com` as a name, but a proxy would treat it as a pattern.
  const isName = text.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return (isName || text.startsWith('[')) && new URL(`http://${text}`).hostname === text
}
