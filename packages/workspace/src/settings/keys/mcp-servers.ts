import { isServerName } from '@toolglot/permissions/internal'
import type { McpServer } from '@toolglot/tools/mcp'
import { describe, type Entry, type Item } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** The MCP servers, by name. Invalid ones are left out. */
export const mcpServers: SettingsKey<Readonly<Record<string, McpServer>>> = {
  key: 'mcpServers',
  starts: (servers) =>
    Object.values(servers).flatMap((server) =>
      'url' in server ? [] : [{ words: [server.command, ...(server.args ?? [])], cwd: server.cwd }],
    ),
  read(item, wrong) {
    if (item.kind !== 'map') {
      wrong(item.line, `expected an object in "mcpServers", got ${describe(item)}`)
      return undefined
    }
    const names = item.entries.map(({ key }) => key.toLowerCase())
    const servers = new Map<string, McpServer>()
    for (const [at, { key, line, item: given }] of item.entries.entries()) {
      const isTwice = names.some((name, other) => other !== at && name === names[at])
      const server = isTwice ? 'its name is a duplicate' : readServer(key, given)
      if (typeof server === 'string')
        wrong(line, `the server ${JSON.stringify(key.slice(0, 40))}: ${server}`)
      else servers.set(key, server)
    }
    return Object.fromEntries(servers)
  },
}

/** The server, or why it is invalid. */
function readServer(name: string, item: Item): McpServer | string {
  if (!isServerName(name))
    return 'expected a name of letters, digits, "-" and single "_", of at most 40 characters'
  if (item.kind !== 'map') return `expected {"command": …} or {"url": …}, got ${describe(item)}`
  const server: Record<string, unknown> = {}
  for (const { key, item: value } of item.entries) {
    const read = Object.hasOwn(PARTS, key) ? PARTS[key as keyof typeof PARTS] : undefined
    if (!read) return `there is no ${JSON.stringify(key.slice(0, 40))}`
    if (Object.hasOwn(server, key)) return `"${key}" is a duplicate key`
    const found = read(value)
    if (found === undefined)
      return `expected ${EXPECTED[key as keyof typeof PARTS]} in "${key}", got ${describe(value)}`
    server[key] = found
  }
  const { command, args, env, cwd, url, headers } = server
  if ((command === undefined) === (url === undefined)) return 'expected either "command" or "url"'
  const unfit = url === undefined ? { headers } : { args, env, cwd }
  const [odd] = Object.entries(unfit).filter(([, value]) => value !== undefined)
  if (odd) return `"${odd[0]}" does not go with "${url === undefined ? 'command' : 'url'}"`
  return server as unknown as McpServer
}

const PARTS = {
  command: textOf,
  args: (item: Item) => listOf(item),
  env: mapOf,
  cwd: textOf,
  url: addressOf,
  headers: mapOf,
  disabled: (item: Item) =>
    item.kind === 'plain' && typeof item.value === 'boolean' ? item.value : undefined,
  timeout: (item: Item) =>
    item.kind === 'plain' && Number.isSafeInteger(item.value) && Number(item.value) > 0
      ? Number(item.value)
      : undefined,
}

const EXPECTED: Readonly<Record<keyof typeof PARTS, string>> = {
  command: 'a string',
  args: 'a list of strings',
  env: 'strings by name',
  cwd: 'a string',
  url: 'an http: or https: URL without a password',
  headers: 'strings by name',
  disabled: 'true or false',
  timeout: 'an integer number of milliseconds',
}

function plainOf(item: Item): string | undefined {
  return item.kind === 'plain' && typeof item.value === 'string' ? item.value : undefined
}

function textOf(item: Item): string | undefined {
  return plainOf(item)?.trim() ? plainOf(item) : undefined
}

function listOf(item: Item): readonly string[] | undefined {
  const texts = item.kind === 'list' ? item.items.map(plainOf) : [undefined]
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function mapOf(item: Item): Readonly<Record<string, string>> | undefined {
  const entries: readonly Entry[] = item.kind === 'map' ? item.entries : []
  const texts = entries.map(({ key, item: value }) => [key, plainOf(value)] as const)
  const names = new Set(texts.map(([key]) => key))
  const isFit = item.kind === 'map' && names.size === texts.length && !names.has('__proto__')
  return isFit && texts.every(([, text]) => text !== undefined)
    ? (Object.fromEntries(texts) as Record<string, string>)
    : undefined
}

function addressOf(item: Item): string | undefined {
  const text = plainOf(item)
  if (text === undefined || !URL.canParse(text)) return undefined
  const { protocol, username, password } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? text : undefined
}
