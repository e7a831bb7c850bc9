import { hostName, originName } from '../host-name.ts'
import { describe, type Item } from '../item.ts'
import { type Field, integerField, plainField, readFields, type Wrong } from './fields.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

/** Where the server listens, who may reach it, and how much they may ask for. */
export interface ServerSettings {
  /** Default: the port that was used before, or 4747. */
  readonly port?: number
  /** Further names of the server, such as `gateway.example.com` behind a proxy: what clients send as `Host`. */
  readonly hosts?: readonly string[]
  /** Further origins whose pages may use the server, such as `https://page.example.com`. */
  readonly origins?: readonly string[]
  readonly limits?: ServerLimits
  /** The version of your code and tools, for runs on Postgres: they are continued with the one that they were begun with. */
  readonly codeVersion?: string
  /** What servers and workers do with a run that was begun with other tools or another version. Default: leave it. */
  readonly whenChanged?: 'leave' | 'ask' | 'continue'
}

/** How much clients may ask of the server. Sizes are in bytes, times in milliseconds. */
export interface ServerLimits {
  /** How many connections are open. */
  readonly connections?: number
  /** How many of them show the same token: never more than half of `connections`. */
  readonly connectionsPerToken?: number
  /** How many requests of one token are answered at the same time. */
  readonly concurrentRequests?: number
  /** How many requests one token sends in a second, on average. 0: no limit. */
  readonly requestsPerSecond?: number
  /** How many requests one token sends at once before `requestsPerSecond` counts. */
  readonly burst?: number
  /** The body of a request under `/v1`. */
  readonly gatewayBodySize?: number
  /** The body of any other request. */
  readonly bodySize?: number
  /** The bodies of all requests that are being answered. */
  readonly allBodiesSize?: number
  /** How long a client may send nothing of a body. */
  readonly bodyTimeout?: number
  /** How long a client may take nothing of a response that is ready for it. */
  readonly stalledTimeout?: number
}

/** How the server is reached. A cloned folder opens no port and names no host. */
export const server: SettingsKey<ServerSettings> = {
  key: 'server',
  scopes: OWN_SCOPES,
  // Every member was read with its own type.
  read: (item, wrong) => readFields(item, 'server', FIELDS, wrong) as ServerSettings | undefined,
}

/** The settings of the server. Each member comes from the strongest scope that has it. */
export function serverSettings(settings: {
  readonly values: readonly SettingValue[]
}): ServerSettings {
  const all = settingValues(settings, server).map(({ value }) => value)
  const limits = Object.assign(
    {},
    ...all.map((each) => each.limits ?? {}).reverse(),
  ) as ServerLimits
  return Object.assign({}, ...all.reverse(), { limits }) as ServerSettings
}

const DAY = 86_400_000

const LIMITS: Readonly<Record<keyof ServerLimits, Field>> = {
  connections: integerField(1),
  connectionsPerToken: integerField(1),
  concurrentRequests: integerField(1),
  requestsPerSecond: integerField(0),
  burst: integerField(1),
  gatewayBodySize: integerField(1),
  bodySize: integerField(1),
  allBodiesSize: integerField(1),
  bodyTimeout: integerField(1, DAY),
  stalledTimeout: integerField(1, DAY),
}

const FIELDS: Readonly<Record<keyof ServerSettings, Field>> = {
  port: integerField(1, 65_535),
  hosts: listField('a host name, such as "gateway.example.com"', hostName),
  origins: listField('an origin, such as "https://page.example.com"', originName),
  limits: {
    expected: 'an object',
    read: (item, wrong) => readFields(item, 'limits', LIMITS, wrong),
  },
  codeVersion: plainField(
    'a text of 1 to 200 characters, such as "2026-11-17"',
    (value) => typeof value === 'string' && /^[^\p{C}]{1,200}$/u.test(value),
  ),
  whenChanged: plainField('"leave", "ask" or "continue"', (value) =>
    ['leave', 'ask', 'continue'].includes(value as string),
  ),
}

/** A list of strings. Invalid ones are reported and left out. */
function listField(one: string, read: (text: string) => string | undefined): Field {
  return {
    expected: `a list, each ${one}`,
    read(item: Item, wrong: Wrong) {
      if (item.kind !== 'list') return undefined
      return item.items.flatMap((each) => {
        const value = each.kind === 'plain' ? each.value : undefined
        const found = typeof value === 'string' ? read(value) : undefined
        if (found === undefined) wrong(each.line, `expected ${one}, got ${describe(each)}`)
        return found ?? []
      })
    },
  }
}
