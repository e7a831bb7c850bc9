import { neutralise } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import type { ChatRendering } from './chat-rendering.ts'
import type { AssistantMessage, CallResult, ResultsMessage } from './message.ts'

/** Function calling wants one answer for each call of a turn, in order; what else there is to say comes behind. */
export function answersTo(
  asked: AssistantMessage | undefined,
  given: ResultsMessage | undefined,
  { protocol, tools, resultRole, roles }: ChatRendering,
): ChatMessage[] {
  if (protocol) return []
  const left = new Set<CallResult>(given?.results)
  const answers = (asked?.calls ?? []).map((call): ChatMessage => {
    const result = [...left].find((each) => each.call.id === call.id)
    if (result) left.delete(result)
    const content = result ? neutralise(result.output, { tools }) : 'This call was not run.'
    return { role: 'tool', call: call.id, content }
  })
  const others = [...left].map(({ call, output }) =>
    neutralise(`${call.name}: ${output}`, { tools }),
  )
  const rest = [...others, ...(given?.notes ?? [])].join('\n\n')
  const role = resultRole === 'system' && roles.includes('system') ? 'system' : 'user'
  return rest === '' ? answers : [...answers, { role, content: rest }]
}
