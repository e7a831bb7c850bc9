import {
  hostName,
  originName,
  about,
  type Field,
  fieldsSchema,
  integerField,
  plainField,
  readFields,
  wordField,
  type Wrong,
} from './fields.ts'
import { describe, type Item } from '../item.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

/** The address of the server, its allowed hosts and origins, and its limits. */
export interface ServerSettings {
  /** The port. Default: the previously used one, or 4747. */
  readonly port?: number
  /**
   * Additional names of the server in `Host` headers, such as `gateway.example.com` behind a proxy.
   */
  readonly hosts?: readonly string[]
  /** Additional origins whose pages can use the server, such as `https://page.example.com`. */
  readonly origins?: readonly string[]
  readonly limits?: ServerLimits
  /**
   * The version of your code and tools, for runs on Postgres: a run continues with the version with
   * which it started.
   */
  readonly codeVersion?: string
  /**
   * The treatment by servers and workers of a run that started with different tools or a different
   * version. Default: leave it.
   */
  readonly whenChanged?: 'leave' | 'ask' | 'continue'
}

/** Limits for the clients of the server. Sizes are in bytes, times in milliseconds. */
export interface ServerLimits {
  /** The maximum number of open connections. */
  readonly connections?: number
  /** The maximum number of connections per token, never more than half of `connections`. */
  readonly connectionsPerToken?: number
  /** The maximum number of concurrent requests per token. */
  readonly concurrentRequests?: number
  /** The maximum average number of requests per second and token. 0 means unlimited. */
  readonly requestsPerSecond?: number
  /** The number of requests that a token can send in a burst before `requestsPerSecond` applies. */
  readonly burst?: number
  /** The maximum size of a request body under `/v1`. */
  readonly gatewayBodySize?: number
  /** The maximum size of other request bodies. */
  readonly bodySize?: number
  /** The maximum total size of the bodies of all current requests, in bytes. */
  readonly allBodiesSize?: number
  /** The maximum time without data while a client sends a body. */
  readonly bodyTimeout?: number
  /** The maximum time in which a client accepts no data of a response that is ready. */
  readonly stalledTimeout?: number
}

const DAY = 86_400_000

const LIMITS: Readonly<Record<keyof ServerLimits, Field>> = {
  connections: about(
    'The maximum number of open connections. Default: 2048; 512 if other machines can reach the server.',
    integerField(1),
  ),
  connectionsPerToken: about(
    'The maximum number of connections per token: never more than half of connections.',
    integerField(1),
  ),
  concurrentRequests: about(
    'The maximum number of concurrent requests per token. Default: 256; 32 if other machines can reach the server.',
    integerField(1),
  ),
  requestsPerSecond: about(
    'The maximum average number of requests per second and token. 0: no limit. Default: 0; 10 if other machines can reach the server.',
    integerField(0),
  ),
  burst: about(
    'The number of requests that a token can send at once before requestsPerSecond applies. Default: 20.',
    integerField(1),
  ),
  gatewayBodySize: about(
    'The maximum size of a request body under /v1, in bytes. Default: 33554432.',
    integerField(1),
  ),
  bodySize: about(
    'The maximum size of other request bodies, in bytes. Default: 1048576.',
    integerField(1),
  ),
  allBodiesSize: about(
    'The maximum total size of the bodies of all current requests, in bytes. Default: 268435456.',
    integerField(1),
  ),
  bodyTimeout: about(
    'The maximum time without data while a client sends a body, in milliseconds. Default: 30000.',
    integerField(1, DAY),
  ),
  stalledTimeout: about(
    'The maximum time in which a client accepts no data of a response, in milliseconds. Default: 30000.',
    integerField(1, DAY),
  ),
}

const FIELDS: Readonly<Record<keyof ServerSettings, Field>> = {
  port: about('The port. Default: the previously used one, or 4747.', integerField(1, 65_535)),
  hosts: about(
    'Additional names of the server in Host headers, such as gateway.example.com behind a proxy. Wildcards are not supported.',
    listField(
      { kind: 'host name', example: 'gateway.example.com' },
      '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?$',
      hostName,
    ),
  ),
  origins: about(
    'Additional origins whose pages can use the server, such as https://page.example.com.',
    listField(
      { kind: 'origin', example: 'https://page.example.com' },
      '^https?://[^/]+$',
      originName,
    ),
  ),
  limits: {
    expected: 'an object',
    schema: fieldsSchema(LIMITS),
    read: (item, wrong) => readFields(item, 'limits', LIMITS, wrong),
  },
  codeVersion: about(
    'The version of your code and tools, for runs on Postgres: a run continues with the version with which it started.',
    plainField(
      'a string of 1 to 200 characters, such as "2026-11-17"',
      { type: 'string', minLength: 1, maxLength: 200 },
      (value) => typeof value === 'string' && /^[^\p{C}]{1,200}$/u.test(value),
    ),
  ),
  whenChanged: about(
    'How servers and workers handle a run on Postgres that started with different tools or a different version: leave it to others, ask a person, or continue it. Default: "leave".',
    wordField('leave', 'ask', 'continue'),
  ),
}

/** The settings of the server. A cloned folder must not open ports or add host names. */
export const server: SettingsKey<ServerSettings> = {
  key: 'server',
  schema: fieldsSchema(FIELDS, {
    description: 'The address, allowed hosts and origins, and limits of toolglot serve.',
  }),
  scopes: OWN_SCOPES,
  // Each member was read with its own type.
  read: (item, wrong) => readFields(item, 'server', FIELDS, wrong) as ServerSettings | undefined,
}

/** The settings of the server. Each member comes from the strongest scope that contains it. */
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

/** A list of strings. Invalid ones are reported and left out. */
function listField(
  { kind, example }: { readonly kind: string; readonly example: string },
  pattern: string,
  read: (text: string) => string | undefined,
): Field {
  return {
    expected: `a list of ${kind}s, such as ["${example}"]`,
    schema: { type: 'array', items: { type: 'string', pattern } },
    read(item: Item, wrong: Wrong) {
      if (item.kind !== 'list') return undefined
      return item.items.flatMap((each) => {
        const value = each.kind === 'plain' ? each.value : undefined
        const found = typeof value === 'string' ? read(value) : undefined
        if (found === undefined)
          wrong(each.line, `invalid ${kind} ${describe(each)}. Use one such as "${example}"`)
        return found ?? []
      })
    },
  }
}
