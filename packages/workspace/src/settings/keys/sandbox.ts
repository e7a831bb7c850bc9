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

/** How commands are held. A folder can name hosts, which count once a person trusts it, and forbid the network. */
export const sandbox: SettingsKey<SandboxSettings> = {
  key: 'sandbox',
  read: (item, wrong, scope) =>
    // Every member was read with its own type.
    readFields(item, 'sandbox', OWN_SCOPES.includes(scope) ? FIELDS : OF_A_FOLDER, wrong) as
      | SandboxSettings
      | undefined,
  split: (value) => (value.network === 'none' ? { forbids: value } : { grants: value }),
}

/**
 * How settings want commands to be held. Of a person's own settings, the strongest scope that has a member counts. A folder adds
 * hosts to theirs, unless somebody wants no network.
 */
export function sandboxSettings(settings: {
  readonly values: readonly SettingValue[]
}): SandboxSettings {
  const all = settingValues(settings, sandbox)
  const values = (isOwn: boolean): SandboxSettings[] =>
    all.flatMap(({ value, source }) => (OWN_SCOPES.includes(source.scope) === isOwn ? [value] : []))
  const own = Object.assign({}, ...values(true).reverse()) as SandboxSettings
  const others = values(false).flatMap(({ network }) => network ?? [])
  if (own.network === 'none' || others.includes('none')) return { ...own, network: 'none' }
  if (own.network === 'host' || others.length === 0) return own
  return { ...own, network: [...new Set([...(own.network ?? []), ...others])] }
}

const NAMES: readonly unknown[] = ['bubblewrap', 'sandbox-runtime', 'none'] satisfies SandboxName[]

const FIELDS: Readonly<Record<keyof SandboxSettings, Field>> = {
  use: plainField('"bubblewrap", "sandbox-runtime" or "none"', (value) => NAMES.includes(value)),
  network: networkField('none', 'host'),
}

const OF_A_FOLDER: Readonly<Record<keyof SandboxSettings, Field>> = {
  use: {
    expected: '',
    read: ({ line }, wrong) => wrong(line, '"use" is only read from your own settings'),
  },
  network: networkField('none'),
}

function networkField(...words: readonly string[]): Field {
  return {
    expected: `${words.map((word) => `"${word}", `).join('')}or a list of host names, such as "registry.npmjs.org"`,
    read(item) {
      if (item.kind === 'plain') return words.find((each) => each === item.value)
      if (item.kind !== 'list') return undefined
      const hosts = item.items.map((each) =>
        each.kind === 'plain' && typeof each.value === 'string' ? hostName(each.value) : undefined,
      )
      return hosts.every((each) => each !== undefined) ? hosts : undefined
    },
  }
}
