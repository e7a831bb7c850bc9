import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import type { Schema } from '@toolglot/core'
import { type Tool, ToolError } from '@toolglot/agent'
import type { McpServer } from './server-settings.ts'
import { cleanText } from './clean-text.ts'
import type { Pin, Pins } from './pins.ts'
import { type McpResult, resultOf, showResult } from './result.ts'
import type { Server } from './server.ts'

export interface ServerToolOptions {
  readonly name: string
  readonly definition: ListedTool
  readonly parameters: Schema
  readonly pin: Pin
  readonly pins: Pins
  readonly settings: McpServer
  readonly server: Server
  /** Whether its server still lists it as it is here. */
  readonly isOffered: () => boolean
}

/** In milliseconds, where settings name no time. */
const TIMEOUT = 120_000
const LONGEST = 4000
/** In a question to a person. */
const LONGEST_SHOWN = 500

/** A server's tool as it was listed once. If the server changes it, that is another one. */
export function createServerTool(options: ServerToolOptions): Tool {
  const { name, definition, parameters, pin, pins, settings, server, isOffered } = options
  const { timeout = TIMEOUT } = settings
  const description = cleanText(definition.description ?? '', LONGEST).trim()
  return {
    name,
    description:
      description === ''
        ? `A tool of the server ${server.name} that says nothing of itself`
        : description,
    parameters,
    // That it changes nothing is only said by its server.
    access: {},
    timeout,

    doubt() {
      const change = pins.describeChange(name, pin)
      return (
        change && `${change}. It now says: ${JSON.stringify(cleanText(description, LONGEST_SHOWN))}`
      )
    },

    async execute(args, context) {
      const call = await server.ready(context.signal)
      if (!isOffered())
        throw new ToolError(
          'not_found',
          `The server ${server.name} no longer has ${name} as it was listed. Nothing was done: look at the tools again.`,
          { code: 'tool_changed' },
        )
      // Whoever let it run let it run as it is.
      await pins.keep(name, pin)
      const answer = await call(definition.name, args, context, timeout)
      return resultOf(answer, server.name)
    },

    show: (result) => showResult(result as McpResult, server.name),
  }
}
