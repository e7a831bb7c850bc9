import type { ToolDefinition } from '@toolglot/core'
import { fitTools, type FittedTools } from '../../context/fit-tools.ts'
import type { Message } from '../../context/message.ts'
import { textOf } from '../../model/content.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import type { LoopState } from './loop-state.ts'

/**
 * The tools that the model is told about, as briefly as its context demands. They depend on nothing that changes from turn to
 * turn: a local model would have to read the whole prompt again.
 */
export function offeredTools({ tools, messages, model, format }: LoopState): FittedTools {
  const { contextTokens } = model
  return fitTools(tools.definitions(), {
    protocol: format.toolsIn === 'prompt' ? format.protocol : undefined,
    contextTokens,
    otherTokens: contextTokens === undefined ? 0 : firstTokens(messages),
    // The conversation needs the rest: results are long.
    share: 1 / 4,
    mayLeaveOut: true,
  })
}

/** The tools that the model is not told about, because they do not fit into its context. */
export function leftOutTools(state: LoopState): readonly ToolDefinition[] {
  return state.tools.definitions().slice(offeredTools(state).tools.length)
}

/** What is in every prompt: the system messages and the first message of the person. */
function firstTokens(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role === 'user')
  return messages
    .slice(0, first + 1)
    .reduce((sum, message) => sum + ('content' in message ? tokensIn(message.content) : 0), 0)
}

function tokensIn(content: Parameters<typeof textOf>[0]): number {
  return estimateTokens(textOf(content))
}
