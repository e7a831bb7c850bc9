import { calling } from '../../packages/cli/test/talking-server.ts'

/** What the model of the cluster does: calls of tools in each turn, then an answer. */
const CALLS: readonly (readonly string[])[] = [
  ['note'],
  ['send'],
  ['note', 'send'],
  ['note'],
  ['send', 'note'],
  ['note'],
]

/** The keys of all calls of a run, and their tools. */
export const callsOfRun: readonly { readonly key: string; readonly tool: string }[] = CALLS.flatMap(
  (tools, turn) => tools.map((tool, place) => ({ key: `turn/${turn}/call/${place}`, tool })),
)

/** What it writes depends on the messages alone. Its answer says how many unknown outcomes it was shown. */
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

/** The answer of a model that was shown so many unknown outcomes. */
export function answerWith(unknown: number): string {
  return `Done, ${unknown} unknown.`
}
