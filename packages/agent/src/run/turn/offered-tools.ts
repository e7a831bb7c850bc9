import type { ToolDefinition } from '@toolglot/core'
import { fitTools, type FittedTools } from '../../context/fit-tools.ts'
import type { Message } from '../../context/message.ts'
import { textOf } from '../../model/chat-message.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import type { ToolChoice } from '../../model/model.ts'
import type { LoopState } from '../state.ts'

/**
 * The tools for the prompt, described as briefly as the context requires. They depend only on data
 * that does not change between turns, because otherwise a local model would have to read the whole
 * prompt again. Space for ReadMore is reserved from the start.
 */
export function offeredTools({ tools, messages, model, format }: LoopState): FittedTools {
  const { contextTokens } = model
  const fitted = fitTools(tools.possibleDefinitions(), {
    protocol: format.toolsIn === 'prompt' ? format.protocol : undefined,
    contextTokens,
    otherTokens: contextTokens === undefined ? 0 : firstTokens(messages),
    // The conversation needs the rest, because results are long.
    share: 1 / 4,
    mayLeaveOut: true,
    isNeeded: tools.readsResults,
  })
  return onlyOf(fitted, tools.definitions())
}

/** A required call is made once. After that, the model is free to answer. */
export function toolChoiceIn({
  options: { toolChoice },
  toolCalls,
}: LoopState): ToolChoice | undefined {
  return toolChoice === 'none' || toolCalls === 0 ? toolChoice : undefined
}

/** Removes the tools that are not offered yet. */
function onlyOf(fitted: FittedTools, offered: readonly ToolDefinition[]): FittedTools {
  const before = known.get(fitted)
  if (before?.offered === offered) return before.only
  const names = new Set(offered.map(({ name }) => name))
  const tools = fitted.tools.filter(({ name }) => names.has(name))
  const only = tools.length === fitted.tools.length ? fitted : { ...fitted, tools }
  known.set(fitted, { offered, only })
  return only
}

const known = new WeakMap<
  FittedTools,
  { readonly offered: readonly ToolDefinition[]; readonly only: FittedTools }
>()

/** The tools left out because they do not fit in the context. */
export function leftOutTools(state: LoopState): readonly ToolDefinition[] {
  const offered = new Set(offeredTools(state).tools.map(({ name }) => name))
  return state.tools.definitions().filter(({ name }) => !offered.has(name))
}

/** The size of the system messages and the first user message, which are part of every prompt. */
function firstTokens(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role === 'user')
  return messages
    .slice(0, first + 1)
    .reduce((sum, message) => sum + ('content' in message ? tokensIn(message.content) : 0), 0)
}

function tokensIn(content: Parameters<typeof textOf>[0]): number {
  return estimateTokens(textOf(content))
}
