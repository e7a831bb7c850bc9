/** The setting `sandbox`. */
export interface SandboxSetting {
  readonly use?: 'bubblewrap' | 'sandbox-runtime' | 'none'
  readonly network?: 'none' | 'host' | readonly string[]
  /** Paths outside the workspace that commands can read, and write to. */
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

/** What commands can reach: nothing, some hosts, or everything. */
export function networkOf(setting: SandboxSetting | undefined): 'none' | 'some' | 'host' {
  const { network = 'none' } = setting ?? {}
  return network === 'none' || network === 'host' ? network : 'some'
}

/** The hosts that commands can reach, if they are named. */
export function hostsIn(setting: SandboxSetting | undefined): readonly string[] {
  const { network } = setting ?? {}
  return Array.isArray(network) ? (network as readonly string[]) : []
}

/** The setting with another sandbox; null if nothing is left in it. */
export function withUse(
  setting: SandboxSetting | undefined,
  use: 'auto' | Exclude<SandboxSetting['use'], undefined>,
): SandboxSetting | null {
  const { use: _, ...rest } = setting ?? {}
  return orNothing(use === 'auto' ? rest : { ...rest, use })
}

/** The setting with another network. */
export function withNetwork(
  setting: SandboxSetting | undefined,
  network: Exclude<SandboxSetting['network'], undefined>,
): SandboxSetting | null {
  const { network: _, ...rest } = setting ?? {}
  return orNothing(network === 'none' ? rest : { ...rest, network })
}

function orNothing(setting: SandboxSetting): SandboxSetting | null {
  return Object.keys(setting).length > 0 ? setting : null
}
