import type { Processes } from '@toolglot/tools'
import { hostName, about, type Field, fieldsSchema, readFields, wordField } from './fields.ts'
import { describe } from '../item.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

type SandboxName = Awaited<ReturnType<Processes['sandbox']>>['name']

/** The restrictions on commands. */
export interface SandboxSettings {
  /** The required sandbox: without it, commands fail. Default: the best available one, or none. */
  readonly use?: SandboxName
  /** The network access of commands: none, unrestricted, or these hosts. Default: none. */
  readonly network?: 'none' | 'host' | readonly string[]
  /**
   * Files and folders outside of the workspace that commands can read. Each path is absolute or in
   * the home folder: `~/…`.
   */
  readonly read?: readonly string[]
  /** Folders outside of the workspace that commands can write to. */
  readonly write?: readonly string[]
}

/** An absolute path or a path in the home folder. */
const OUTSIDE = /^(\/|~(\/|$))/

const NAMES = ['bubblewrap', 'sandbox-runtime', 'none'] as const satisfies SandboxName[]

const FIELDS: Readonly<Record<keyof SandboxSettings, Field>> = {
  use: about(
    'The required sandbox: without it, commands fail. none: commands run without a sandbox. Default: the best one available on this machine, or none.',
    wordField(...NAMES),
  ),
  network: about('The hosts that commands can reach. Default: none.', networkField('none', 'host')),
  read: about(
    'Files and folders outside of the workspace that commands can read, such as ~/.config/gh. Default: only the system and toolchains. Applies only in your own settings.',
    pathsField('read'),
  ),
  write: about(
    'Folders outside of the workspace that commands can write to. Default: none. Applies only in your own settings.',
    pathsField('write'),
  ),
}

/** The members that a folder's settings can contain. */
const FOLDER_FIELDS: Readonly<Record<keyof SandboxSettings, Field>> = {
  use: ownOnly('use'),
  network: networkField('none'),
  read: ownOnly('read'),
  write: ownOnly('write'),
}

/**
 * The restrictions on commands. A folder can add hosts, which count once the user trusts it, and
 * can forbid network access.
 */
export const sandbox: SettingsKey<SandboxSettings> = {
  key: 'sandbox',
  schema: fieldsSchema(FIELDS, {
    description:
      "Restrictions on commands, in addition to permissions. A folder's settings can only add hosts to `network`, which count once you trust the folder, or forbid network access.",
  }),
  read: (item, wrong, scope) =>
    // Each member was read with its own type.
    readFields(item, 'sandbox', OWN_SCOPES.includes(scope) ? FIELDS : FOLDER_FIELDS, wrong) as
      | SandboxSettings
      | undefined,
  split: (value) => (value.network === 'none' ? { forbids: value } : { grants: value }),
}

/**
 * The restrictions from all settings. In the user's own settings, each member comes from the
 * strongest scope that contains it, except for paths, which are combined. A folder adds hosts,
 * unless any setting forbids network access.
 */
export function sandboxSettings(settings: {
  readonly values: readonly SettingValue[]
}): SandboxSettings {
  const all = settingValues(settings, sandbox)
  const values = (isOwn: boolean): SandboxSettings[] =>
    all.flatMap(({ value, source }) => (OWN_SCOPES.includes(source.scope) === isOwn ? [value] : []))
  const own: SandboxSettings = Object.assign(
    {},
    ...values(true).reverse(),
    pathsIn('read', values(true)),
    pathsIn('write', values(true)),
  )
  const others = values(false).flatMap(({ network }) => network ?? [])
  if (own.network === 'none' || others.includes('none')) return { ...own, network: 'none' }
  if (own.network === 'host' || others.length === 0) return own
  return { ...own, network: [...new Set([...(own.network ?? []), ...others])] }
}

function pathsIn(member: 'read' | 'write', values: readonly SandboxSettings[]): SandboxSettings {
  const paths = new Set(values.flatMap((value) => value[member] ?? []))
  return paths.size > 0 ? { [member]: [...paths] } : {}
}

function ownOnly(name: string): Field {
  return {
    expected: '',
    schema: {},
    read: ({ line }, wrong) => wrong(line, `"${name}" is only read from your own settings`),
  }
}

function pathsField(name: string): Field {
  return {
    expected: 'a list of paths',
    schema: { type: 'array', items: { type: 'string', pattern: OUTSIDE.source } },
    read(item, wrong) {
      if (item.kind !== 'list') return undefined
      return item.items.flatMap((each) => {
        const path = each.kind === 'plain' ? each.value : undefined
        if (typeof path === 'string' && OUTSIDE.test(path)) return [path]
        wrong(each.line, `"${name}" contains ${describe(each)}, but paths must start with / or ~/`)
        return []
      })
    },
  }
}

function networkField(...words: readonly string[]): Field {
  return {
    expected: `${words.map((word) => `"${word}", `).join('')}or a list of host names, such as "registry.npmjs.org"`,
    schema: {
      anyOf: [
        { enum: words },
        { type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9.:\\[\\]-]+$' } },
      ],
    },
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
