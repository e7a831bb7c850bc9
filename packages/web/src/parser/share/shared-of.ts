import { type ParserState, drawnNow } from '../parser-store.ts'
import type { SharedReply } from './shared-reply.ts'
import type { ToolDefinition } from '@toolglot/core'

/**
 * A reply and its options, reduced to the necessary parts: only tools that the text names, and the
 * drawn protocol only if it is selected.
 */
export function sharedOf(
  state: Pick<
    ParserState,
    'text' | 'protocol' | 'finish' | 'startsInReasoning' | 'drawn' | 'fileDrawn'
  >,
  tools: readonly ToolDefinition[] | undefined,
): SharedReply {
  const { text, protocol, finish, startsInReasoning } = state
  const drawn = drawnNow(state)
  const named = tools?.filter(({ name }) => name !== '' && text.includes(name)) ?? []
  return {
    text,
    protocol,
    finish,
    startsInReasoning,
    drawn: protocol === 'drawn' && drawn.trim() !== '' ? drawn : undefined,
    ...(tools && {
      tools: named.map(({ name, parameters }) => ({ name, parameters })),
    }),
  }
}
