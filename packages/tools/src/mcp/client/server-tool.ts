import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import type { Schema } from '@toolglot/core'
import { type Tool, ToolError } from '@toolglot/agent'
import type { McpServer } from './server-settings.ts'
import { cleanText } from './clean-text.ts'
import type { Pin, Pins } from './pins.ts'
import { type McpResult, resultOf, showResult } from './result.ts'
import type { Server } from './server.ts'

/** What a server's tool is created from. */
export interface ServerToolOptions {
  readonly name: string
  readonly definition: ListedTool
  readonly parameters: Schema
  readonly pin: Pin
  readonly pins: Pins
  readonly settings: McpServer
  readonly server: Server
  /** Whether its server still lists it unchanged. */
  readonly isOffered: () => boolean
}

/** The default, in milliseconds. */
const TIMEOUT = 120_000
const MAX_DESCRIPTION_LENGTH = 4000
/** In a question to the user. */
const MAX_SHOWN_LENGTH = 500

/** Creates a tool from its definition by a server. If the server changes it, that is a different tool. */
export function createServerTool(options: ServerToolOptions): Tool {
  const { name, definition, parameters, pin, pins, settings, server, isOffered } = options
  const { timeout = TIMEOUT } = settings
  const description = cleanText(definition.description ?? '', MAX_DESCRIPTION_LENGTH).trim()
  return {
    name,
    server: server.name,
    description:
      description === ''
        ? `A tool of the server ${server.name}, without a description`
        : description,
    parameters,
    // Not read-only, whatever its server claims.
    access: {},
    timeout,

    doubt() {
      const change = pins.describeChange(name, pin)
      return (
        change &&
        `${change}. Its description is now: ${JSON.stringify(cleanText(description, MAX_SHOWN_LENGTH))}`
      )
    },

    async execute(args, context) {
      const call = await server.ready(context.signal)
      if (!isOffered())
        throw new ToolError(
          'not_found',
          `The server ${server.name} has changed or removed ${name}. Nothing was done. Check the list of tools again.`,
          { code: 'tool_changed' },
        )
      // The approval covers the tool as it is now.
      await pins.keep(name, pin)
      const answer = await call(definition.name, args, context, timeout)
      return resultOf(answer, server.name)
    },

    show: (result) => showResult(result as McpResult, server.name),
  }
}
