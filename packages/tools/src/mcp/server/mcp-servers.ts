import { randomUUID } from 'node:crypto'
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
  type ApprovalQuestion,
  type Ask,
  execute,
  type ExecuteOptions,
  type ExecuteResult,
  type Tool,
  Unanswered,
} from '@toolglot/agent'
import { jsonSchemaOf } from '@toolglot/agent/internal'
import { takeImage } from '../../read/read-result.ts'
import { answersOf, questionForm, approvalQuestion } from './approval-question.ts'

/** The maximum number of pending questions. A new question beyond that replaces the oldest one. */
const MAX_OPEN = 100

/**
 * Tickets for pending approval questions. Each is valid once, for exactly the question that was
 * shown.
 */
interface ApprovalTickets {
  /** Issues a ticket for a question. The client returns it with the answer. */
  issue(question: ApprovalQuestion): string
  /**
   * The id of the call that a ticket was issued for. The request with the ticket repeats that call.
   */
  callOf(ticket: unknown): string | undefined
  /** True if a ticket was issued for exactly this question. Uses up the ticket. */
  redeem(ticket: unknown, question: ApprovalQuestion): boolean
}

/** The tools and permissions to serve. */
export interface McpOptions extends Pick<
  ExecuteOptions,
  'tools' | 'permissions' | 'fileSystem' | 'run'
> {
  readonly version: string
}

/**
 * Creates a factory of MCP servers that offer the tools, one server per connection. Calls are
 * subject to the same permissions as a model's.
 */
export function mcpServers(options: McpOptions): McpServerFactory {
  const listed = [...options.tools.values()].map(listedForm)
  const withoutQuestions = listed.filter(({ name }) => name !== QUESTION_TOOL)
  const approvals = createApprovalTickets()
  return () => {
    const server = new Server(
      { name: 'toolglot', version: options.version },
      { capabilities: { tools: {} } },
    )
    // Since 2026, every request contains the client's capabilities; before, only the first one did.
    const askable = ({ mcpReq }: ServerContext): boolean => {
      const envelope = mcpReq.envelope as
        | { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities }
        | undefined
      return canAsk(envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())
    }
    const isAnyone = options.permissions.interactive ?? true
    server.setRequestHandler('tools/list', (_request, context) => ({
      tools: isAnyone && askable(context) ? listed : withoutQuestions,
    }))
    server.setRequestHandler('tools/call', ({ params }, context) =>
      answerCall(params, context, isAnyone && askable(context), approvals, options),
    )
    return server
  }
}

/** The tool that asks the user questions. */
const QUESTION_TOOL = 'AskUserQuestion'

function listedForm({ name, description, parameters, access, idempotent }: Tool): ListedTool {
  return {
    name,
    description,
    inputSchema: jsonSchemaOf(parameters) as ListedTool['inputSchema'],
    annotations: {
      readOnlyHint: access.readOnly === true || access.harmless === true,
      idempotentHint: idempotent,
    },
  }
}

async function answerCall(
  { name, arguments: args = {} }: CallToolRequest['params'],
  { mcpReq }: ServerContext,
  canAsk: boolean,
  approvals: ApprovalTickets,
  options: McpOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const ticket = mcpReq.requestState()
  const call = { id: approvals.callOf(ticket) ?? randomUUID(), name, args }
  const { inputResponses } = mcpReq
  let question: InputRequiredResult | undefined
  let approved: string | undefined

  /** Denies the call and requests approval. The client repeats the call with the answer. */
  async function approve(approval: ApprovalQuestion): Promise<{ verdict: 'allow' | 'deny' }> {
    const response = inputResponse(inputResponses, 'approval')
    // Answering the tool's own questions implies that it was approved.
    const isAnswered =
      name === QUESTION_TOOL && inputResponse(inputResponses, 'answers').kind === 'elicit'
    const action = response.kind === 'elicit' ? response.action : isAnswered ? 'accept' : undefined
    if (action !== undefined && approvals.redeem(ticket, approval)) {
      if (action === 'accept' && name === QUESTION_TOOL) approved = approvals.issue(approval)
      return { verdict: action === 'accept' ? 'allow' : 'deny' }
    }
    const requestedSchema = { type: 'object' as const, properties: {} }
    question = inputRequired({
      inputRequests: {
        approval: inputRequired.elicit({
          message: approvalQuestion(approval.call, approval.decision, options.fileSystem.cwd),
          requestedSchema,
        }),
      },
      requestState: approvals.issue(approval),
    })
    return { verdict: 'deny' }
  }

  const ask: Ask = async (questions) => {
    const response = inputResponse(inputResponses, 'answers')
    if (response.kind === 'elicit' && response.action === 'accept')
      return answersOf(questions, response.content)
    if (response.kind !== 'elicit')
      question = inputRequired({
        inputRequests: { answers: inputRequired.elicit(questionForm(questions)) },
        requestState: approved,
      })
    throw new Unanswered()
  }

  const outcome = await execute(call, {
    ...options,
    signal: mcpReq.signal,
    onProgress: progressReporter(mcpReq),
    ...(canAsk && { approve, ask }),
  })
  return question ?? callToolResult(outcome)
}

/** True if the client can show forms. Elicitation without a mode means forms. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const kinds = capabilities?.elicitation
  return kinds !== undefined && (kinds.form !== undefined || kinds.url === undefined)
}

function progressReporter({
  _meta,
  notify,
}: ServerContext['mcpReq']): ExecuteOptions['onProgress'] & {} {
  const progressToken = _meta?.progressToken
  let progress = 0
  return (update) => {
    if (progressToken === undefined || update.type === 'todo') return
    const params = { progressToken, progress: ++progress, message: update.text }
    // The client may be disconnected.
    notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/** The result of a call in MCP's format. */
function callToolResult(outcome: ExecuteResult): CallToolResult {
  if (outcome.status === 'error') {
    const { failure } = outcome
    return {
      isError: true,
      content: [{ type: 'text', text: `${failure.error_type}: ${failure.message}` }],
      structuredContent: { ...failure },
    }
  }
  const text = { type: 'text' as const, text: outcome.text }
  const taken = takeImage(outcome.result)
  if (!taken) return { content: [text] }
  const { data: structuredContent, image } = taken
  if (!image) return { content: [text], structuredContent }
  const { data, media_type: mimeType } = image
  return { content: [text, { type: 'image', data, mimeType }], structuredContent }
}

/** Creates an empty set of tickets. */
export function createApprovalTickets(): ApprovalTickets {
  const open = new Map<unknown, { readonly call: string; readonly hash: string }>()
  return {
    issue({ call, hash }) {
      const [oldest] = open.keys()
      if (open.size >= MAX_OPEN) open.delete(oldest)
      const ticket = randomUUID()
      open.set(ticket, { call: call.id, hash })
      return ticket
    },
    callOf: (ticket) => open.get(ticket)?.call,
    redeem(ticket, { hash }) {
      const shown = open.get(ticket)
      open.delete(ticket)
      return shown?.hash === hash
    },
  }
}
