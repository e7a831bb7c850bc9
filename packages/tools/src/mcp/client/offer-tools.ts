import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import type { Schema } from '@toolglot/core'
import type { Tool } from '@toolglot/agent'
import { schemaFault } from '@toolglot/agent/adapter/internal'
import type { McpServer } from './server-settings.ts'
import { cleanSchema } from './clean-schema.ts'
import { cleanText } from './clean-text.ts'
import { createServerTool } from './server-tool.ts'
import { ambiguousNames, localToolName } from './tool-names.ts'
import { isSamePin, type Pin, pinOf, type Pins } from './pins.ts'
import type { Server } from './server.ts'

/** Options of `offerTools`. */
export interface OfferOptions {
  readonly name: string
  readonly settings: McpServer
  readonly server: Server
  /** The map to add the tools to, shared by all servers. */
  readonly tools: Map<string, Tool>
  readonly pins: Pins
  readonly report: (reason: string) => void
}

/** Of one server. */
const MAX_TOOLS = 256

/** Returns a function that replaces a server's tools with those it lists now. */
export function offerTools(
  options: OfferOptions,
): (listed: readonly ListedTool[]) => Promise<void> {
  const { name: server, tools, pins, report } = options
  let offered: ReadonlyMap<string, Pin> = new Map()

  return async (listed) => {
    if (listed.length > MAX_TOOLS)
      report(`it lists ${listed.length} tools; only the first ${MAX_TOOLS} are used`)
    const fresh = new Map<string, readonly [Tool, Pin]>()
    for (const [definition, name] of withLocalNames(listed.slice(0, MAX_TOOLS), server, report)) {
      const parameters = usableSchema(definition.inputSchema)
      if (typeof parameters === 'string') {
        report(skippedTool(definition, parameters))
        continue
      }
      const pin = pinOf(
        definition.description,
        definition.inputSchema,
        serverIdentity(options.settings),
      )
      const isOffered = (): boolean => isSamePin(pin, offered.get(name))
      await pins.load(name)
      const made = createServerTool({ ...options, name, definition, parameters, pin, isOffered })
      fresh.set(name, [made, pin])
    }
    for (const name of offered.keys()) tools.delete(name)
    for (const [name, [made]] of fresh) tools.set(name, made)
    offered = new Map([...fresh].map(([name, [, pin]]) => [name, pin]))
  }
}

/** The tools with unambiguous names, and these names. */
function withLocalNames(
  listed: readonly ListedTool[],
  server: string,
  report: (reason: string) => void,
): [ListedTool, string][] {
  const names = listed.map(({ name }) => localToolName(server, name))
  const ambiguous = ambiguousNames(names.filter((name) => name !== undefined))
  return listed.flatMap((definition, at): [ListedTool, string][] => {
    const name = names[at]
    if (name !== undefined && !ambiguous.has(name)) return [[definition, name]]
    const reason =
      name === undefined
        ? 'its name is empty or too long'
        : `several of its tools would be named ${name}, ignoring case`
    report(skippedTool(definition, reason))
    return []
  })
}

function skippedTool({ name }: ListedTool, reason: string): string {
  return `its tool ${JSON.stringify(cleanText(name, 100))} was rejected: ${reason}`
}

/** What identifies a server. Variables and headers are not included, because tokens change. */
function serverIdentity(settings: McpServer): unknown {
  if ('url' in settings) return { url: settings.url }
  const { command, args = [], cwd } = settings
  return { command, args, cwd }
}

/** The cleaned schema, or why it is not usable. */
function usableSchema(schema: unknown): Schema | string {
  const clean = cleanSchema(schema)
  if (typeof clean === 'string') return clean
  const fault = schemaFault(clean)
  return fault === undefined ? clean : `its schema ${fault}`
}
