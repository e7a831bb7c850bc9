import { estimateTokens } from '@toolglot/agent/context'
import { hasMarks, jsonSchemaOf } from '@toolglot/agent/internal'
import {
  familyOf,
  printCalls,
  printPrompt,
  printResult,
  type Protocol,
  protocols,
  type ToolDefinition,
  type WrappedTool,
} from '@toolglot/core'
import { chooseProtocols, knownProtocols, UserError, type Workspace } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import { folder, type InFolder } from '../schemas/settings.ts'
import { toolDefinitions } from '../schemas/reply.ts'
import type { ApiServices } from '../services.ts'

/** A protocol in a list. */
export interface ListedProtocol {
  readonly id: string
  readonly about: string
  /** True for the user's own protocols. */
  readonly own: boolean
  /** Regular expressions that match the names of models using it. */
  readonly models: readonly string[]
  /** The example call in this protocol. The call is the same for all protocols. */
  readonly example: string
  /** The id of another protocol that can parse this one. */
  readonly dialect?: string
}

/** A protocol with all its details. */
export interface ShownProtocol extends ListedProtocol {
  /** True if calls are marked. Without marks, text can be mistaken for a call. */
  readonly marked: boolean
  /** Two calls in one turn. */
  readonly exampleOfTwo: string
  /** A result and a failure, as shown to the model. */
  readonly exampleResult: string
  readonly exampleError: string
}

/** The part of a system prompt that describes tools. */
export interface PromptPreview {
  readonly protocol: string
  readonly prompt: string
  readonly characters: number
  /** An estimate. */
  readonly tokens: number
  /** The names of the described tools. */
  readonly tools: readonly string[]
  /** The given call, as a model writes it. */
  readonly call?: string
}

const listed = {
  id: z.string(),
  about: z.string(),
  own: z.boolean().describe("True for the user's own protocols."),
  models: z
    .array(z.string())
    .describe('Regular expressions that match the lowercase names of models using it.'),
  example: z.string().describe('A call of get_weather for Hanoi and three days.'),
  dialect: z.string().optional().describe('The id of another protocol that can read this one.'),
}

/** Lists the protocols. */
export const listProtocols: Endpoint<
  'GET /api/protocols',
  { readonly query: InFolder },
  readonly ListedProtocol[]
> = {
  name: 'GET /api/protocols',
  about: "List the protocols: the user's own, and the built-in ones.",
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'The protocols.',
      schema: z.array(z.object(listed).meta({ id: 'ListedProtocol' })),
    },
  },
  async handle({ query }, { services }) {
    const { own } = await knownProtocols(await services.folders.open(query.folder))
    return [
      ...own.map((each) => describeProtocol(each, true)),
      ...Object.values(protocols).map((each) => describeProtocol(each, false)),
    ]
  },
}

/** Shows one protocol. */
export const showProtocol: Endpoint<
  'GET /api/protocols/:id',
  { readonly query: InFolder },
  ShownProtocol
> = {
  name: 'GET /api/protocols/:id',
  about: 'Show how a protocol writes calls and results.',
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'The protocol.',
      schema: z.object({
        ...listed,
        marked: z
          .boolean()
          .describe('True if calls are marked. Without marks, text can be mistaken for a call.'),
        exampleOfTwo: z.string().describe('Two calls in one turn.'),
        exampleResult: z.string().describe('A result as shown to the model.'),
        exampleError: z.string().describe('A failure as shown to the model.'),
      }),
    },
  },
  async handle({ parameters: { id }, query }, { services }) {
    const workspace = await services.folders.open(query.folder)
    const { protocol, own } = await findProtocol(id, workspace)
    const call = { ...EXAMPLE, id: 'call_1' }
    const other = { ...EXAMPLE, id: 'call_2', args: { city: 'Berlin', days: 1 } }
    return {
      ...describeProtocol(protocol, own),
      marked: hasMarks(protocol),
      exampleOfTwo: printCalls(protocol, [call, other]),
      exampleResult: printResult(protocol, { call, output: { sky: 'clear' } }),
      exampleError: printResult(protocol, { call, output: 'No such city.', failed: true }),
    }
  },
}

/** The tools and options that a prompt describes. */
export interface PromptInput extends InFolder {
  readonly tools?: readonly (ToolDefinition | WrappedTool)[] | undefined
  readonly names?: readonly string[] | undefined
  readonly call?:
    | { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
    | undefined
}

/** Prints the prompt of a protocol. */
export const previewPrompt: Endpoint<
  'POST /api/protocols/:id/prompt',
  { readonly body: PromptInput },
  PromptPreview
> = {
  name: 'POST /api/protocols/:id/prompt',
  about: 'Print the description of tools for the system prompt in a protocol, with its size.',
  body: typed(
    z.strictObject({
      folder,
      tools: toolDefinitions
        .optional()
        .describe('The tools to describe. Default: the enabled tools of the folder.'),
      names: z
        .array(z.string().max(256))
        .max(1000)
        .optional()
        .describe('Only the tools with these names, even if they are off.'),
      call: z
        .strictObject({
          name: z.string().min(1).max(256),
          arguments: z.record(z.string(), z.unknown()),
        })
        .optional()
        .describe('A call to print as a model writes it.'),
    }),
  ),
  answers: {
    200: {
      about: 'The prompt.',
      schema: z.object({
        protocol: z.string(),
        prompt: z.string(),
        characters: z.number(),
        tokens: z.number().describe('An estimate.'),
        tools: z.array(z.string()).describe('The names of the described tools.'),
        call: z.string().optional().describe('The given call, as a model writes it.'),
      }),
    },
  },
  async handle({ parameters: { id }, body }, { services }) {
    const workspace = await services.folders.open(body.folder)
    const { protocol } = await findProtocol(id, workspace)
    const all =
      body.tools?.map(plain) ?? (await toolsOf(workspace, services, body.names ? 'all' : 'tools'))
    const tools = body.names ? select(all, body.names) : all
    const prompt = attempt(protocol, () => printPrompt(protocol, tools))
    const { call } = body
    return {
      protocol: protocol.id,
      prompt,
      characters: prompt.length,
      tokens: estimateTokens(prompt),
      tools: tools.map(({ name }) => name),
      ...(call && {
        call: attempt(protocol, () =>
          printCalls(protocol, [{ name: call.name, args: call.arguments }]),
        ).trim(),
      }),
    }
  },
}

/** The definitions of the tools in a folder: the enabled ones, or all of them. */
export function toolsOf(
  workspace: Workspace,
  { folders }: Pick<ApiServices, 'folders'>,
  which: 'tools' | 'all' = 'tools',
): Promise<readonly ToolDefinition[]> {
  return folders.useTools(workspace, async (opened) =>
    [...opened[which].values()].map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: jsonSchemaOf(parameters),
    })),
  )
}

const EXAMPLE = { name: 'get_weather', args: { city: 'Hanoi', days: 3 } }

function describeProtocol(protocol: Protocol, own: boolean): ListedProtocol {
  const { id, dialect } = protocol
  const { about, models = [] } = familyOf(protocol)
  return {
    id,
    about,
    own,
    models: models.map(({ source }) => source),
    example: printCalls(protocol, [EXAMPLE]).trim(),
    dialect,
  }
}

async function findProtocol(
  id: string,
  workspace: Workspace,
): Promise<{ readonly protocol: Protocol; readonly own: boolean }> {
  const known = await knownProtocols(workspace)
  try {
    const [protocol] = (id === 'auto' ? undefined : chooseProtocols([id], known).protocols) ?? []
    if (protocol) return { protocol, own: known.own.includes(protocol) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw notFound(error.message)
  }
  throw notFound('auto is not the id of a protocol.')
}

function notFound(message: string): HttpError {
  return new HttpError('not_found', message, { action: 'GET /api/protocols lists the protocols.' })
}

function plain(tool: ToolDefinition | WrappedTool): ToolDefinition {
  return 'function' in tool ? tool.function : tool
}

function select(
  tools: readonly ToolDefinition[],
  names: readonly string[],
): readonly ToolDefinition[] {
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name))
  if (unknown === undefined) return tools.filter(({ name }) => names.includes(name))
  throw new HttpError(
    'invalid_request',
    `names contains an unknown tool: ${visibleLine(JSON.stringify(unknown))}.`,
    { action: 'GET /api/tools lists the tools of a folder.' },
  )
}

/** Prints something in a protocol. Throws an HttpError if that fails. */
function attempt(protocol: Protocol, print: () => string): string {
  try {
    return print()
  } catch (error) {
    // The cause is an invalid schema, or the code of a user's own protocol.
    const message = error instanceof Error ? error.message : String(error)
    throw new HttpError(
      'unprocessable',
      `The protocol ${protocol.id} cannot write this: ${visibleLine(message).slice(0, 500)}`,
      { action: 'Check the parameters of the tools: each must be a JSON Schema.' },
    )
  }
}
