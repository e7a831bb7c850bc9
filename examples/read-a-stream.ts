import { type Chunk, type Finish, parseStream } from '@toolglot/core'

/** A chunk of an OpenAI-compatible API: a piece of text, or the reason for the end. */
interface Sent {
  readonly choices: readonly { delta: { content?: string }; finish_reason?: string | null }[]
}

/** OpenAI's finish reasons, in the parser's terms. Any other reason means an error. */
const FINISHES: Record<string, Finish> = { stop: 'stop', tool_calls: 'stop', length: 'length' }

async function* chunksOf(stream: AsyncIterable<Sent>): AsyncIterable<Chunk> {
  for await (const { choices } of stream) {
    for (const { delta, finish_reason: reason } of choices) {
      if (delta.content) yield delta.content
      if (reason) yield { finish: FINISHES[reason] ?? 'broken' }
    }
  }
}

/** A model that reaches its token limit between two arguments. */
async function* model(): AsyncIterable<Sent> {
  for (const content of [
    'One moment. <function=write',
    '_file>\n<parameter=path>\na.t',
    'xt\n</parameter>',
  ])
    yield { choices: [{ delta: { content }, finish_reason: null }] }
  yield { choices: [{ delta: {}, finish_reason: 'length' }] }
}

// A stream is broken unless it states how it ended.
for await (const event of parseStream(chunksOf(model()), { finish: 'broken' })) {
  if (event.type === 'text') console.log('text', JSON.stringify(event.delta))
  if (event.type === 'call-start') console.log('call', event.name)
  if (event.type === 'call-delta') console.log('  +', event.delta)
  if (event.type === 'call-end') console.log('end', event.call.args, event.call.complete)
}

// text "One moment. "
// call write_file
//   + {"path":"a.t
//   + xt
//   + "}
// end { path: 'a.txt' } false
