import type { Processes } from '@toolglot/tools'
import { hostName } from '../host-name.ts'
import { type Field, plainField, readFields } from './fields.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

type SandboxName = Awaited<ReturnType<Processes['sandbox']>>['name']

/** How commands are held. */
export interface SandboxSettings {
  /** The sandbox that must work: commands fail if it does not. Default: the best that works, or none. */
  readonly use?: SandboxName
  /** What commands may reach: nothing, everything, or these hosts. Default: nothing. */
  readonly network?: 'none' | 'host' | readonly string[]
}

/** How commands are held. A cloned folder has no say in it. */
export const sandbox: SettingsKey<SandboxSettings> = {
  key: 'sandbox',
  scopes: OWN_SCOPES,
  // Every member was read with its own type.
  read: (item, wrong) => readFields(item, 'sandbox', FIELDS, wrong) as SandboxSettings | undefined,
}

/** How settings want commands to be held. Each member comes from the strongest scope that has it. */
export function sandboxSettings(settings: {
  readonly values: readonly SettingValue[]
}): SandboxSettings {
  const all = settingValues(settings, sandbox).map(({ value }) => value)
  return Object.assign({}, ...all.reverse()) as SandboxSettings
}

const NAMES: readonly unknown[] = ['bubblewrap', 'sandbox-runtime', 'none'] satisfies SandboxName[]

const FIELDS: Readonly<Record<keyof SandboxSettings, Field>> = {
  use: plainField('"bubblewrap", "sandbox-runtime" or "none"', (value) => NAMES.includes(value)),
  network: {
    expected: '"none", "host", or a list of host names, such as "registry.npmjs.org"',
    read(item) {
      if (item.kind === 'plain') return ['none', 'host'].find((each) => each === item.value)
      if (item.kind !== 'list') return undefined
      const hosts = item.items.map((each) =>
        each.kind === 'plain' && typeof each.value === 'string' ? hostName(each.value) : undefined,
      )
      return hosts.every((each) => each !== undefined) ? hosts : undefined
    },
  },
}
