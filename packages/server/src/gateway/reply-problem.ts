import type { Message, RunCall, TurnResult } from '@toolglot/agent'
import { retryMessage } from '@toolglot/agent/adapter/internal'
import { checkArguments } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import type { AnswerOptions } from './answer.ts'

/** Why a reply cannot be the answer. */
export interface ReplyProblem {
  readonly code: 'malformed_call' | 'tool_choice_unmet' | 'invalid_arguments' | 'uncertain_call'
  readonly message: string
  /** The same without a word of the request or the reply. */
  readonly summary: string
  /** The message to the model before the next request. */
  readonly next: Message
}

/** Why a call must not be sent; undefined if it may. */
export async function problemOf(
  { name, args, complete }: RunCall,
  { request, offered }: Pick<AnswerOptions, 'request' | 'offered'>,
): Promise<string | undefined> {
  const { toolChoice } = request.options
  if (!complete) return `The call of ${name} was cut off.`
  if (typeof toolChoice === 'object' && toolChoice.name !== name)
    return `Expected a call of ${toolChoice.name}, got one of ${name}.`
  const at = offered.findIndex((each) => each.name === name)
  if (toolChoice === 'required' && at < 0)
    return `Expected a call of one of the tools, got one of ${name}.`
  const parameters = offered[at]?.parameters
  if (!request.tools[at]?.strict || !parameters) return undefined
  const checked = await checkArguments(parameters, args)
  if (!('problems' in checked)) return undefined
  return `The arguments of ${name} do not match its schema: ${checked.problems.join('; ')}`
}

/** Why a reply without any call that was sent cannot be the answer. */
export function problemIn(
  result: TurnResult,
  {
    toolChoice,
    refused,
    uncertain,
    isUnread,
  }: {
    readonly toolChoice: ToolChoice
    /** Why each call was not sent. */
    readonly refused: ReadonlyMap<string, string>
    /** The ids of the calls that were not sent because they may be examples. */
    readonly uncertain: ReadonlySet<string>
    /** The texts of some calls have not been sent, because the model can be asked again. */
    readonly isUnread: boolean
  },
): ReplyProblem | undefined {
  // It would be cut off again.
  if (result.finish === 'length') return undefined
  const [why] = refused.values()
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    const what = toolChoice === 'required' ? 'a tool' : `the tool ${toolChoice.name}`
    const message = `The model did not call ${what}, although it must. ${why ?? ''}`.trim()
    const next = retryMessage(result, toolChoice) ?? refusalMessage(result, refused, uncertain)
    const summary = 'The model did not call a tool, although it must.'
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
    const message = 'The model wrote a call that cannot be read.'
    return { code: 'malformed_call', message, summary: message, next: unread }
  }
  const message = 'The model wrote a call that may be an example.'
  const next = refusalMessage(result, refused, uncertain)
  return { code: 'uncertain_call', message, summary: message, next }
}

/** Tells the model why its calls were not made. */
function refusalMessage(
  { message, calls }: TurnResult,
  refused: ReadonlyMap<string, string>,
  uncertain: ReadonlySet<string>,
): Message {
  const results = calls.map(({ id, name, args }, at) => ({
    call: message.calls?.[at] ?? { id, name, args },
    output: refused.get(id) ?? (uncertain.has(id) ? UNCERTAIN : 'It was not run.'),
    failed: true as const,
    invalid: true as const,
    // Shows how to write it.
    otherProtocol: uncertain.has(id) ? (true as const) : undefined,
  }))
  return { role: 'results', results }
}

const UNCERTAIN =
  'It was not run, because it may be an example: other text is around it. If you mean to call the tool, reply with nothing but the call. Otherwise, answer without it.'
