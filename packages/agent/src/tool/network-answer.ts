import type { ToolContext } from './tool.ts'

/** A person's grant of network access beyond the sandbox: everything, this time only; or these hosts from now on. */
export type NetworkAnswer = 'once' | AllowedHosts

/** Hosts that calls may reach: for the rest of the run, or by the settings of the user or of the folder. */
export interface AllowedHosts {
  readonly hosts: readonly string[]
  readonly always: 'run' | 'user' | 'folder'
}

/** The network access of a call: that granted for it, and that for all calls. */
export function reachableWith(
  answer: NetworkAnswer | undefined,
  hosts: readonly string[] = [],
): ToolContext['network'] {
  if (answer === 'once') return 'all'
  const all = new Set([...(answer?.hosts ?? []), ...hosts])
  return all.size > 0 ? [...all] : undefined
}

/** Whether a text is the name or address of one host, as `URL` writes it: no port, no path, no wildcard. */
export function isHostName(text: string): boolean {
  if (text.length > 253 || !URL.canParse(`http://${text}`)) return false
  // `URL` parses `*.com` as a name, a proxy as a pattern.
  const isName = text.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return (isName || text.startsWith('[')) && new URL(`http://${text}`).hostname === text
}
