import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import type { Schema } from '@toolglot/core'
import { type Tool, ToolError } from '@toolglot/agent'
import { isObject } from '@toolglot/agent/internal'
import { schemaFault } from '@toolglot/agent/adapter/internal'
import type { McpServer } from './connection.ts'
import { ambiguousNames, cleanText, isClean, localToolName } from './clean-text.ts'
import { isSamePin, type Pin, pinOf, type Pins } from './pins.ts'
import type { Server } from './server.ts'
import { type McpResult, resultOf, showResult } from './result.ts'

/** The properties of a server's tool. */
interface ServerToolOptions {
  readonly name: string
  readonly definition: ListedTool
  readonly parameters: Schema
  readonly pin: Pin
  readonly pins: Pins
  readonly settings: McpServer
  readonly server: Server
  /** True while its server lists it unchanged. */
  readonly isOffered: () => boolean
}

/** The default timeout, in milliseconds. */
const TIMEOUT = 120_000

const MAX_DESCRIPTION_LENGTH = 4000

/** The maximum length in a question to the user. */
const MAX_SHOWN_LENGTH = 500

/** Options for `offerTools`. */
interface OfferOptions {
  readonly name: string
  readonly settings: McpServer
  readonly server: Server
  /** The map to add the tools to, shared by all servers. */
  readonly tools: Map<string, Tool>
  readonly pins: Pins
  readonly report: (reason: string) => void
}

/** The maximum number of tools per server. */
const MAX_TOOLS = 256

/** Returns a function that replaces a server's tools with its current list. */
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

/** The tools with unambiguous names, by their local names. */
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

/** The identity of a server. It excludes variables and headers, because tokens change. */
function serverIdentity(settings: McpServer): unknown {
  if ('url' in settings) return { url: settings.url }
  const { command, args = [], cwd } = settings
  return { command, args, cwd }
}

/** The cleaned schema, or the reason why it is unusable. */
function usableSchema(schema: unknown): Schema | string {
  const clean = cleanSchema(schema)
  if (typeof clean === 'string') return clean
  const fault = schemaFault(clean)
  return fault === undefined ? clean : `its schema ${fault}`
}

/**
 * Creates a tool from a server's definition. After a change by the server, it counts as a different
 * tool.
 */
function createServerTool(options: ServerToolOptions): Tool {
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
    // Never read-only, even if the server claims it is.
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
      // The approval is for the current version of the tool.
      await pins.keep(name, pin)
      const answer = await call(definition.name, args, context, timeout)
      return resultOf(answer, server.name)
    },

    show: (result) => showResult(result as McpResult, server.name),
  }
}

/**
 * Cleans an untrusted schema for validation and for the prompt. Returns the reason if it is
 * unusable.
 */
export function cleanSchema(schema: unknown): Schema | string {
  try {
    if ((JSON.stringify(schema) ?? '').length > MAX_LENGTH)
      return `the schema of its parameters is longer than ${MAX_LENGTH} characters`
    return schemaOf(schema, 0) as Schema
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    if (error instanceof RangeError) return TOO_DEEP // The stack was too small for the schema.
    throw error
  }
}

const MAX_LENGTH = 65_536
const MAX_DEPTH = 32
const MAX_TEXT_LENGTH = 1000
const TOO_DEEP = 'the schema of its parameters is nested too deeply'

class UnusableSchema extends Error {}

/** Keywords whose values are maps of schemas. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords whose values are plain data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type', '$ref'])
const TEXTS = new Set(['description', 'title'])
/**
 * Keywords that are dropped. An untrusted regular expression could take extremely long on a model's
 * text, and the server checks it anyway. The other keywords do not constrain arguments.
 */
const LEFT_OUT = new Set(['pattern', 'patternProperties', '$comment', '$schema', '$id'])
/** Keywords that would become stricter if the patterns inside them were dropped. */
const REVERSED = new Set(['not', 'if', 'oneOf'])

function schemaOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnusableSchema(TOO_DEEP)
  if (Array.isArray(value)) return value.map((each) => schemaOf(each, depth + 1))
  if (!isObject(value)) return checked(value)
  const reference = value['$ref']
  if (reference !== undefined && !(typeof reference === 'string' && reference.startsWith('#')))
    throw new UnusableSchema('the schema of its parameters refers to another document ($ref)')
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (LEFT_OUT.has(key) || (REVERSED.has(key) && hasPattern(member))) return []
    // Without the patterns, names that match one would count as additional properties.
    if (key === 'additionalProperties' && 'patternProperties' in value) return []
    if (TEXTS.has(key) && typeof member === 'string')
      return [[key, cleanText(member, MAX_TEXT_LENGTH)]]
    if (DATA.has(key)) return [[key, dataOf(member, depth + 1)]]
    if (NAMED.has(key) && isObject(member)) return [[key, namedOf(member, depth + 1)]]
    return [[checkedName(key), schemaOf(member, depth + 1)]]
  })
  return Object.fromEntries(entries)
}

function hasPattern(value: unknown): boolean {
  return JSON.stringify(value).includes('"pattern')
}

function namedOf(members: Record<string, unknown>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [checkedName(name), schemaOf(schema, depth)]),
  )
}

function dataOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnusableSchema(TOO_DEEP)
  if (Array.isArray(value)) return value.map((each) => dataOf(each, depth + 1))
  if (!isObject(value)) return checked(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [checkedName(key), dataOf(member, depth + 1)]),
  )
}

function checkedName(name: string): string {
  if (['__proto__', 'constructor', 'prototype'].includes(name))
    throw new UnusableSchema(`it has a parameter named ${name}`)
  return checked(name)
}

/** Refuses a value that cleaning would change. */
function checked<Value>(value: Value): Value {
  if (typeof value === 'string' && !isClean(value))
    throw new UnusableSchema('the schema of its parameters contains hidden characters')
  return value
}
