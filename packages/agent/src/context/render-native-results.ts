import { neutralize } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import { callAdvice } from './call-advice.ts'
import type { ChatRendering } from './chat-rendering.ts'
import type { AssistantMessage, CallResult, ResultsMessage } from './message.ts'

/** Native function calling requires one result for each call of a turn, in order. Everything else comes after them. */
export function renderNativeResults(
  assistant: AssistantMessage | undefined,
  message: ResultsMessage | undefined,
  { protocol, tools, resultRole, roles }: ChatRendering,
): ChatMessage[] {
  const options = { tools, protocols: protocol }
  const remaining = new Set<CallResult>(message?.results)
  const answers = (assistant?.calls ?? []).map((call): ChatMessage => {
    const result = [...remaining].find((each) => each.call.id === call.id)
    if (result) remaining.delete(result)
    const content = result ? neutralize(result.output, options) : 'This call was not run.'
    return { role: 'tool', call: call.id, content }
  })
  const others = [...remaining].map(({ call, output }) =>
    neutralize(`${call.name}: ${output}`, options),
  )
  const { results = [], notes = [] } = message ?? {}
  const rest = [...others, ...callAdvice(results, undefined), ...notes].join('\n\n')
  const role = resultRole === 'system' && roles.includes('system') ? 'system' : 'user'
  return rest === '' ? answers : [...answers, { role, content: rest }]
}
