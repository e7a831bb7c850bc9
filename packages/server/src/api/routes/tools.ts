import { aliasTools, type Tool } from '@toolglot/agent'
import { jsonSchemaOf } from '@toolglot/agent/internal'
import type { Schema } from '@toolglot/core'
import { canonicalTools } from '@toolglot/permissions'
import type { OpenTools } from '@toolglot/workspace'
import { mcpServersIn } from '@toolglot/workspace/internal'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import { folder, type InFolder, type Place, placeFields, placeOf } from '../schemas/settings.ts'
import { textWithoutSecrets } from '../without-secrets.ts'

/** A tool in a list. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** The JSON Schema of its arguments. */
  readonly parameters: Schema
  /** The origin of the tool. */
  readonly from: 'built-in' | 'mcp' | 'own'
  /** The MCP server of the tool. */
  readonly server?: string
  /** The toolkit, for the user's own tools. */
  readonly toolkit?: string
  /** True if the tool is offered to models. */
  readonly enabled: boolean
  /** The setting that turns the tool off. */
  readonly disabledBy?: DisabledBy
  /** Other names for the tool, with their own parameters. */
  readonly aliases: readonly string[]
  /** 1 if every platform supports it, 2 if most do, 3 otherwise. */
  readonly level?: number
  /** True if the tool changes nothing, neither on this machine nor elsewhere. */
  readonly readOnly: boolean
  /** True if its calls need approval by default. Calls outside the workspace always do. */
  readonly asks: boolean
  /** True if calling it twice has the same effect as calling it once. */
  readonly idempotent: boolean
  /** True if every call needs approval. */
  readonly dangerous: boolean
  /** True if the tool waits for a person. */
  readonly waits: boolean
  /** The tool's own timeout in milliseconds, if any. */
  readonly timeout?: number
}

/** The setting that turns a tool off. */
export interface DisabledBy extends Place {
  readonly key: 'toolToggles' | 'defaultToolEnabled'
  /** The name in `toolToggles`: the tool, an alias, its toolkit or its MCP server. */
  readonly name?: string
}

/** The tools of a folder. */
export interface ToolList {
  readonly folder: string
  readonly tools: readonly ListedTool[]
  /** Reasons why tools of an MCP server are missing, and problems with the settings. */
  readonly warnings: readonly string[]
}

/** Lists the tools of a folder. */
export const listTools: Endpoint<'GET /api/tools', { readonly query: InFolder }, ToolList> = {
  name: 'GET /api/tools',
  about: "List the tools of a folder: the built-in ones, those of MCP servers, and the user's own.",
  details:
    'Starts the MCP servers that the settings name, unless they are running. Tools that the settings toolToggles and defaultToolEnabled turn off are also listed.',
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'The tools.',
      schema: z.object({
        folder: z.string(),
        tools: z.array(
          z
            .object({
              name: z.string(),
              description: z.string(),
              parameters: z.looseObject({}).describe('JSON Schema of its arguments.'),
              from: z.enum(['built-in', 'mcp', 'own']),
              server: z.string().optional().describe('The MCP server of the tool.'),
              toolkit: z.string().optional().describe("The toolkit, for the user's own tools."),
              enabled: z.boolean().describe('True if the tool is offered to models.'),
              disabledBy: z
                .object({
                  key: z.enum(['toolToggles', 'defaultToolEnabled']),
                  name: z
                    .string()
                    .optional()
                    .describe('The name in toolToggles: the tool, an alias, or its toolkit.'),
                  ...placeFields,
                })
                .optional()
                .describe('The setting that turns the tool off.'),
              aliases: z.array(z.string()),
              level: z
                .number()
                .optional()
                .describe('1 if every platform supports it, 2 if most do, 3 otherwise.'),
              readOnly: z.boolean().describe('True if the tool changes nothing.'),
              asks: z.boolean().describe('True if its calls need approval by default.'),
              idempotent: z
                .boolean()
                .describe('True if calling it twice has the same effect as calling it once.'),
              dangerous: z.boolean().describe('True if every call needs approval.'),
              waits: z.boolean().describe('True if the tool waits for a person.'),
              timeout: z
                .number()
                .optional()
                .describe("The tool's own timeout in milliseconds, if any."),
            })
            .meta({ id: 'ListedTool' }),
        ),
        warnings: z
          .array(z.string())
          .describe(
            'Reasons why tools of an MCP server are missing, and problems with the settings.',
          ),
      }),
    },
  },
  async handle({ query }, { services: { folders } }) {
    const workspace = await folders.open(query.folder)
    return folders.useTools(workspace, async ({ all, disabled, warnings }) => {
      const own = await workspace.ownTools()
      const aliases = aliasTools(all)
      const servers = mcpServersIn(workspace.settings, workspace.directories.home)
      const urls = Object.values(servers).flatMap((each) => ('url' in each ? [each.url] : []))
      return {
        folder: workspace.folder,
        tools: [...all.values()].map((tool) => ({
          ...describeTool(tool, own, aliases),
          ...toggleOf(disabled.get(tool.name)),
        })),
        warnings: [...workspace.warnings, ...warnings].map((text) =>
          textWithoutSecrets(text, urls),
        ),
      }
    })
  },
}

function describeTool(
  tool: Tool,
  own: ReadonlyMap<string, Tool>,
  aliases: readonly Tool[],
): Omit<ListedTool, 'enabled'> {
  const { name, description, parameters, access, server, toolkit, level, timeout } = tool
  return {
    name,
    description,
    parameters: jsonSchemaOf(parameters),
    from: own.has(name) ? 'own' : server === undefined ? 'built-in' : 'mcp',
    server,
    toolkit,
    aliases: aliases.flatMap((each) => (each.aliasOf === tool ? [each.name] : [])),
    level,
    readOnly: access.readOnly ?? false,
    asks: asksByDefault(tool),
    idempotent: tool.idempotent ?? false,
    dangerous: tool.dangerous ?? false,
    waits: tool.waits ?? false,
    timeout,
  }
}

/** Neither reading in the workspace nor harmless calls need approval. */
function asksByDefault({ name, access: own, dangerous = false }: Tool): boolean {
  const access = canonicalTools.get(name) ?? own
  const { readOnly, harmless, reads, lists, fetches, hosts } = access
  const isLocal = (reads ?? lists) !== undefined && (fetches ?? hosts) === undefined
  return dangerous || !(harmless || (readOnly && isLocal))
}

function toggleOf(
  disabled: ReturnType<OpenTools['whyDisabled']>,
): Pick<ListedTool, 'enabled' | 'disabledBy'> {
  if (!disabled) return { enabled: true }
  const { key, name, source } = disabled
  return {
    enabled: false,
    disabledBy: { key, name, ...placeOf(source) },
  }
}
