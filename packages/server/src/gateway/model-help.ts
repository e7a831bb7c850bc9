import type { Message } from '@toolglot/agent'
import type { ToolDefinition } from '@toolglot/core'
import type { GatewayModel, ModelHelp } from './models.ts'

/** What helps a model with a client: as its settings say, or as its name suggests. */
export function helpFor(target: GatewayModel, userAgent: string | null): Required<ModelHelp> {
  const { describeTools, oneCall = false, examples = 0, clients = {}, model } = target
  const [client = ''] = (userAgent ?? '').split(/[/ ]/, 1)
  const usual = isSmall(model.name) ? 'brief' : 'whole'
  return {
    describeTools: describeTools ?? usual,
    oneCall,
    examples,
    ...(Object.hasOwn(clients, client) ? clients[client] : {}),
  }
}

/** How compact tools are at least. */
export const MIN_LEVELS = { whole: 0, brief: 1, minimal: 2 } as const

/** Whether the name of a model says that it has few parameters, such as `qwen3:8b`. */
function isSmall(name: string): boolean {
  const [, billions] = /(?:^|[^a-z0-9.])(\d{1,3}(?:\.\d{1,2})?)b(?![a-z0-9])/i.exec(name) ?? []
  return billions !== undefined && Number(billions) <= SMALL
}

/** In billions of parameters. */
const SMALL = 14

/** The conversation with example calls in front, after its instructions. They show how the first tools are called. */
export function withExamples(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  count: number,
): readonly Message[] {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const shown = tools.slice(0, count).flatMap((tool, at): readonly Message[] => {
    const { name } = tool
    const call = { id: `example${at + 1}`, name, args: exampleArguments(tool) }
    return [
      { role: 'user', content: `An example, before we begin: call ${name}.` },
      { role: 'assistant', content: '', calls: [call] },
      { role: 'results', results: [{ call, output: '(What the tool returned.)' }] },
      { role: 'assistant', content: 'That was the example. What is the task?' },
    ]
  })
  return [...messages.slice(0, start), ...shown, ...messages.slice(start)]
}

/** Arguments that match the types of the required parameters. */
function exampleArguments({ parameters = {} }: ToolDefinition): Record<string, unknown> {
  const { required, properties } = parameters as {
    required?: readonly string[]
    properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: unknown }>>
  }
  const names = Array.isArray(required) ? (required as readonly string[]) : []
  return Object.fromEntries(
    names.map((name) => {
      const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
      const [choice] = Array.isArray(schema?.enum) ? (schema.enum as readonly unknown[]) : []
      return [name, choice ?? EXAMPLES.get(schema?.type) ?? 'example']
    }),
  )
}

const EXAMPLES: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['integer', 1],
  ['number', 1],
  ['boolean', true],
  ['array', []],
  ['object', {}],
])
