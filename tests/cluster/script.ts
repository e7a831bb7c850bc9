import { calling } from '../../packages/cli/test/talking-server.ts'

/** The cluster model's calls in each turn, which are followed by an answer. */
const CALLS: readonly (readonly string[])[] = [
  ['note'],
  ['send'],
  ['note', 'send'],
  ['note'],
  ['send', 'note'],
  ['note'],
]

/** The keys of all calls in a run, and their tools. */
export const callsOfRun: readonly { readonly key: string; readonly tool: string }[] = CALLS.flatMap(
  (tools, turn) => tools.map((tool, place) => ({ key: `turn/${turn}/call/${place}`, tool })),
)

/**
 * The model's reply, which depends only on the messages. The answer contains the number of unknown
 * outcomes it was shown.
 */
export function replyTo(
  messages: readonly { readonly role: string; readonly content?: unknown }[],
): string {
  const said = messages.filter(({ role }) => role === 'assistant')
  const turn = said.filter(({ content }) => String(content).startsWith('Turn ')).length
  const calls = CALLS[turn]
  if (calls)
    return [
      `Turn ${turn}.`,
      ...calls.map((tool, place) => calling(tool, { n: 10 * turn + place })),
    ].join('\n')
  const told = messages.map(({ content }) => String(content)).join('\n')
  return answerWith(told.split('It is unknown whether').length - 1)
}

/** The answer of a model that was shown this number of unknown outcomes. */
export function answerWith(unknown: number): string {
  return `Done, ${unknown} unknown.`
}
