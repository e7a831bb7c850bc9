import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import type { Schema } from '@toolglot/core'
import type { Tool } from '@toolglot/agent'
import { checkArguments } from '@toolglot/agent/internal'
import type { McpServer } from './server-settings.ts'
import { cleanSchema } from './clean-schema.ts'
import { cleanText } from './clean-text.ts'
import { createServerTool } from './server-tool.ts'
import { ambiguousNames, localToolName } from './tool-names.ts'
import { isSamePin, type Pin, pinOf, type Pins } from './pins.ts'
import type { Server } from './server.ts'

export interface OfferOptions {
  readonly name: string
  readonly settings: McpServer
  readonly server: Server
  /** Where the tools are put, among those of others. */
  readonly tools: Map<string, Tool>
  readonly pins: Pins
  readonly report: (reason: string) => void
}

/** Of one server. */
const MAX_TOOLS = 256

/** Puts what a server lists among the tools, in the place of what it listed before. */
export function offerTools(
  options: OfferOptions,
): (listed: readonly ListedTool[]) => Promise<void> {
  const { name: server, tools, pins, report } = options
  let offered: ReadonlyMap<string, Pin> = new Map()

  return async (listed) => {
    if (listed.length > MAX_TOOLS)
      report(`it lists ${listed.length} tools: only the first ${MAX_TOOLS} are taken`)
    const fresh = new Map<string, readonly [Tool, Pin]>()
    for (const [definition, name] of withLocalNames(listed.slice(0, MAX_TOOLS), server, report)) {
      const parameters = await usableSchema(definition.inputSchema)
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

/** The tools that can be told apart, with their names here. */
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
        : `${name} would be the name of several, if upper and lower case are one`
    report(skippedTool(definition, reason))
    return []
  })
}

function skippedTool({ name }: ListedTool, reason: string): string {
  return `its tool ${JSON.stringify(cleanText(name, 100))} is not taken: ${reason}`
}

/** Who speaks is part of what is said. What stands in variables and headers may change: tokens do. */
function serverIdentity(settings: McpServer): unknown {
  if ('url' in settings) return { url: settings.url }
  const { command, args = [], cwd } = settings
  return { command, args, cwd }
}

/** The schema as it is used here; or why it cannot be. */
async function usableSchema(schema: unknown): Promise<Schema | string> {
  const clean = cleanSchema(schema)
  if (typeof clean === 'string') return clean
  try {
    await checkArguments(clean, {})
    return clean
  } catch {
    return 'arguments cannot be checked by its schema' // A reference that leads nowhere, or in a circle.
  }
}
