import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServerFactory,
  Server,
  type ServerContext,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server'
import {
  type Decision,
  execute,
  type ExecuteOptions,
  jsonSchemaOf,
  type Tool,
  type ToolCall,
} from '@toolglot/agent'
import { answerOf } from './answer.ts'
import { type Approvals, createApprovals } from './approvals.ts'
import { questionOf } from './question.ts'

export interface McpOptions extends Pick<
  ExecuteOptions,
  'tools' | 'permissions' | 'world' | 'run'
> {
  readonly version: string
}

/** Makes servers that offer the tools over MCP, one for each connection; every call is checked and permitted as a model's is. */
export function mcpServers(options: McpOptions): McpServerFactory {
  const listed = [...options.tools.values()].map(listedForm)
  const approvals = createApprovals()
  return () => {
    const server = new Server(
      { name: 'toolglot', version: options.version },
      { capabilities: { tools: {} } },
    )
    server.setRequestHandler('tools/list', () => ({ tools: listed }))
    server.setRequestHandler('tools/call', ({ params }, context) => {
      // Since 2026 every request says what the client can do, before that only the first.
      const said = context.mcpReq.envelope as
        | { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities }
        | undefined
      const capabilities = said?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
      return answer(params, context, capabilities, approvals, options)
    })
    return server
  }
}

function listedForm({ name, description, parameters, access, idempotent }: Tool): ListedTool {
  return {
    name,
    description,
    inputSchema: jsonSchemaOf(parameters) as ListedTool['inputSchema'],
    annotations: {
      readOnlyHint: access.readOnly === true || access.harmless === true,
      ...(idempotent !== undefined && { idempotentHint: idempotent }),
    },
  }
}

async function answer(
  { name, arguments: args = {} }: CallToolRequest['params'],
  { mcpReq }: ServerContext,
  capabilities: ClientCapabilities | undefined,
  approvals: Approvals,
  options: McpOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const call = { id: String(mcpReq.id), name, args }
  let question: InputRequiredResult | undefined

  /** The call runs anew with the answer; until then it is not allowed. */
  async function approve(
    asked: ToolCall,
    decision: Decision,
  ): Promise<{ verdict: 'allow' | 'deny' }> {
    const response = inputResponse(mcpReq.inputResponses, 'approval')
    if (response.kind === 'elicit' && approvals.take(mcpReq.requestState(), asked, decision))
      return { verdict: response.action === 'accept' ? 'allow' : 'deny' }
    const requestedSchema = { type: 'object' as const, properties: {} }
    question = inputRequired({
      inputRequests: {
        approval: inputRequired.elicit({ message: questionOf(asked, decision), requestedSchema }),
      },
      requestState: approvals.ask(asked, decision),
    })
    return { verdict: 'deny' }
  }

  const outcome = await execute(call, {
    ...options,
    signal: mcpReq.signal,
    onProgress: progressOf(mcpReq),
    ...(canAsk(capabilities) && { approve }),
  })
  return question ?? answerOf(outcome)
}

/** Whether the client shows forms; one that names no kind means forms. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const kinds = capabilities?.elicitation
  return kinds !== undefined && (kinds.form !== undefined || kinds.url === undefined)
}

function progressOf({ _meta, notify }: ServerContext['mcpReq']): ExecuteOptions['onProgress'] & {} {
  const progressToken = _meta?.progressToken
  let progress = 0
  return (update) => {
    if (progressToken === undefined || update.type === 'todo') return
    const params = { progressToken, progress: ++progress, message: update.text }
    // Whoever has gone need not be told.
    notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
