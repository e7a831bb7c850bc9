import type { Model, ModelChunk, ModelRequest } from '@toolglot/agent'
import { type Protocol, printCalls } from '@toolglot/core'

// All probed models in tests are fakes: they look up the requested call and write it, without
// interpreting the prompt like a model would.

/** The calls requested by the tasks of a probe, and a part of their prompts. */
export const WANTED = [
  { asked: 'label tea', name: 'start_timer', args: { label: 'tea', minutes: 4 } },
  { asked: 'Save a note', name: 'save_note', args: { text: `echo "it's" > C:\\new\n</note>` } },
  { asked: 'the code K7', name: 'get_stock', args: { code: 'K7' } },
]

/** All text in a request. */
export const textIn = ({ messages }: ModelRequest): string =>
  messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n')

/** The call requested by a prompt. Undefined if the request already contains the result. */
export function wantedBy(request: ModelRequest): (typeof WANTED)[number] | undefined {
  const text = textIn(request)
  if (text.includes('4817')) return undefined
  return WANTED.find(({ asked }) => text.includes(asked))
}

/** The answer to the last task. */
export const ANSWER = 'There are 4,817 pieces in stock.'

/** A reply. */
export function* said(text: string): Generator<ModelChunk> {
  yield { type: 'text', delta: text }
  yield { type: 'finish', finish: 'stop' }
}

/** A fake that always writes its calls in the same dialect, regardless of the prompt. */
export function speaking(
  dialect: Protocol,
  {
    change = (text: string) => text,
    ...facts
  }: Partial<Model> & { change?: (text: string) => string } = {},
): Model & { readonly heard: ModelRequest[] } {
  const heard: ModelRequest[] = []
  return {
    name: 'fake',
    ...facts,
    heard,
    async *reply(request) {
      heard.push(request)
      const wanted = wantedBy(request)
      yield* said(wanted ? change(printCalls(dialect, [wanted])) : ANSWER)
    },
  }
}
