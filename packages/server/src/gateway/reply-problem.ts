import type { Message, RunCall, TurnResult } from '@toolglot/agent'
import { retryMessage } from '@toolglot/agent/adapter/internal'
import { checkArguments } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import type { AnswerOptions } from './answer.ts'

/** The reason why a reply cannot be the answer. */
export interface ReplyProblem {
  readonly code: 'malformed_call' | 'tool_choice_unmet' | 'invalid_arguments' | 'uncertain_call'
  readonly message: string
  /** The problem without text from the request or the reply. */
  readonly summary: string
  /** The message to the model before the next request. */
  readonly next: Message
}

/** The reason why a call must not be sent, or undefined if it may be. */
export async function problemOf(
  { name, args, complete }: RunCall,
  { request, offered }: Pick<AnswerOptions, 'request' | 'offered'>,
): Promise<string | undefined> {
  const { toolChoice } = request.options
  if (!complete) return `The call of ${name} was cut off.`
  if (typeof toolChoice === 'object' && toolChoice.name !== name)
    return `A call of ${toolChoice.name} is required, not of ${name}.`
  const at = offered.findIndex((each) => each.name === name)
  if (toolChoice === 'required' && at < 0)
    return `A call of one of the tools is required, not of ${name}.`
  const parameters = offered[at]?.parameters
  if (!request.tools[at]?.strict || !parameters) return undefined
  const checked = await checkArguments(parameters, args)
  if (!('problems' in checked)) return undefined
  return `The arguments of ${name} do not match its schema: ${checked.problems.join('; ')}`
}

/** The reason why a reply without any valid call cannot be the answer. */
export function problemIn(
  result: TurnResult,
  {
    toolChoice,
    refused,
    uncertain,
    isUnread,
  }: {
    readonly toolChoice: ToolChoice
    /** The reasons why calls were not sent, by call id. */
    readonly refused: ReadonlyMap<string, string>
    /** The ids of the calls that were not sent because they may be examples. */
    readonly uncertain: ReadonlySet<string>
    /** True if the text of some calls was held back because a retry is possible. */
    readonly isUnread: boolean
  },
): ReplyProblem | undefined {
  // A retry would also be cut off.
  if (result.finish === 'length') return undefined
  const [why] = refused.values()
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    const what = toolChoice === 'required' ? 'a tool' : `the tool ${toolChoice.name}`
    const message = `The model did not call ${what}, but that is required. ${why ?? ''}`.trim()
    const next = retryMessage(result, toolChoice) ?? refusalMessage(result, refused, uncertain)
    const summary = 'The model did not call a tool, but that is required.'
    return { code: 'tool_choice_unmet', message, summary, next }
  }
  if (why !== undefined) {
    const summary = 'The arguments of a call do not match the schema of its tool.'
    const next = refusalMessage(result, refused, uncertain)
    return { code: 'invalid_arguments', message: why, summary, next }
  }
  if (!isUnread) return undefined
  const unread = retryMessage(result)
  if (unread) {
    const message = 'The model wrote a malformed call.'
    return { code: 'malformed_call', message, summary: message, next: unread }
  }
  const message = 'The model wrote a call that may be an example.'
  const next = refusalMessage(result, refused, uncertain)
  return { code: 'uncertain_call', message, summary: message, next }
}

/** Tells the model why its calls were not run. */
function refusalMessage(
  { message, calls }: TurnResult,
  refused: ReadonlyMap<string, string>,
  uncertain: ReadonlySet<string>,
): Message {
  const results = calls.map(({ id, name, args }, at) => ({
    call: message.calls?.[at] ?? { id, name, args },
    output: refused.get(id) ?? (uncertain.has(id) ? UNCERTAIN : 'Not run.'),
    failed: true as const,
    invalid: true as const,
    // Shows the model the correct format.
    otherProtocol: uncertain.has(id) ? (true as const) : undefined,
  }))
  return { role: 'results', results }
}

const UNCERTAIN =
  'Not run, because it may be an example: there is other text around it. To call the tool, reply with only the call. Otherwise, answer without it.'
