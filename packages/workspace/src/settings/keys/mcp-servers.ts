import { isServerName } from '@toolglot/permissions/internal'
import type { McpServer } from '@toolglot/tools/mcp'
import { describe, type Item, mustBe } from '../item.ts'
import { about, type Field, fieldsSchema, flagField, integerField, textField } from './fields.ts'
import type { SettingsKey } from './key.ts'

const textsByName: Field = {
  expected: 'an object with strings by name',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  read(item) {
    if (item.kind !== 'map') return undefined
    const texts = item.entries.map(({ key, item: value }) => [key, stringIn(value)] as const)
    const names = new Set(texts.map(([key]) => key))
    if (names.size !== texts.length || names.has('__proto__')) return undefined
    return texts.every(([, text]) => text !== undefined) ? Object.fromEntries(texts) : undefined
  },
}

const FIELDS: Readonly<Record<string, Field>> = {
  command: about(
    'The program to start. It communicates over standard input and output.',
    textField,
  ),
  args: {
    expected: 'a list of strings',
    schema: { type: 'array', items: { type: 'string' } },
    read(item) {
      const texts = item.kind === 'list' ? item.items.map(stringIn) : [undefined]
      return texts.includes(undefined) ? undefined : texts
    },
  },
  env: about(
    'Environment variables for the server, in addition to those of every command. ${NAME} is replaced with your variable of that name.',
    textsByName,
  ),
  cwd: about(
    "The server's working directory: relative to the folder that the settings belong to, or to your home folder if it starts with ~/.",
    textField,
  ),
  url: about('The URL of a server that is already running.', {
    expected: 'an http: or https: URL without a password',
    schema: { type: 'string', pattern: '^https?://' },
    read(item) {
      const text = stringIn(item)
      if (text === undefined || !URL.canParse(text)) return undefined
      const { protocol, username, password } = new URL(text)
      const isWeb = protocol === 'http:' || protocol === 'https:'
      return isWeb && username === '' && password === '' ? text : undefined
    },
  }),
  headers: about(
    'HTTP headers of every request. ${NAME} is replaced with your environment variable of that name.',
    textsByName,
  ),
  disabled: about('Keep the server in the settings, but do not start it.', flagField),
  timeout: about('The maximum duration of a call, in milliseconds.', {
    ...integerField(1),
    expected: 'an integer number of milliseconds',
  }),
}

/** The MCP servers by name. Invalid entries are left out. */
export const mcpServers: SettingsKey<Readonly<Record<string, McpServer>>> = {
  key: 'mcpServers',
  schema: {
    description:
      'MCP servers that provide tools, by name. A name consists of letters, digits, - and single _.',
    type: 'object',
    propertyNames: { pattern: '^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$', maxLength: 40 },
    additionalProperties: fieldsSchema(FIELDS, {
      oneOf: [{ required: ['command'] }, { required: ['url'] }],
      dependentSchemas: {
        url: { properties: { args: false, env: false, cwd: false } },
        command: { properties: { headers: false } },
      },
    }),
  },
  starts: (servers) =>
    Object.values(servers).flatMap((server) =>
      'url' in server ? [] : [{ words: [server.command, ...(server.args ?? [])], cwd: server.cwd }],
    ),
  read(item, wrong) {
    if (item.kind !== 'map') {
      wrong(item.line, mustBe('mcpServers', 'an object', item))
      return undefined
    }
    const names = item.entries.map(({ key }) => key.toLowerCase())
    const servers = new Map<string, McpServer>()
    for (const [at, { key, line, item: given }] of item.entries.entries()) {
      const isTwice = names.some((name, other) => other !== at && name === names[at])
      const server = isTwice ? 'the name is a duplicate' : readServer(key, given)
      if (typeof server === 'string')
        wrong(line, `the server ${JSON.stringify(key.slice(0, 40))}: ${server}`)
      else servers.set(key, server)
    }
    return Object.fromEntries(servers)
  },
}

/** Returns the server, or the reason why it is invalid. */
function readServer(name: string, item: Item): McpServer | string {
  if (!isServerName(name))
    return 'the name must consist of 1 to 40 letters, digits, "-" and single "_"'
  if (item.kind !== 'map') return `it must be {"command": …} or {"url": …}, not ${describe(item)}`
  const server: Record<string, unknown> = {}
  for (const { key, item: value } of item.entries) {
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined
    if (!field) return `unknown key ${JSON.stringify(key.slice(0, 40))}`
    if (Object.hasOwn(server, key)) return `"${key}" is a duplicate key`
    const found = field.read(value, () => {})
    if (found === undefined) return mustBe(key, field.expected, value)
    server[key] = found
  }
  const { command, args, env, cwd, url, headers } = server
  if ((command === undefined) === (url === undefined))
    return 'it must have either "command" or "url"'
  const unfit = url === undefined ? { headers } : { args, env, cwd }
  const [odd] = Object.entries(unfit).filter(([, value]) => value !== undefined)
  if (odd) return `"${odd[0]}" cannot be combined with "${url === undefined ? 'command' : 'url'}"`
  return server as unknown as McpServer
}

function stringIn(item: Item): string | undefined {
  return item.kind === 'plain' && typeof item.value === 'string' ? item.value : undefined
}
