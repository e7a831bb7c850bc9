import { parseStream } from '@toolglot/core'

/** Any model's text, in whatever pieces it arrives. */
async function* model(): AsyncIterable<string> {
  yield 'One moment. [TOOL_'
  yield 'CALLS]write_file[ARGS]{"path": "a.txt", "con'
  yield 'tent": "hel'
  yield 'lo"}'
}

for await (const event of parseStream(model())) {
  if (event.type === 'text') console.log('text', JSON.stringify(event.delta))
  if (event.type === 'call-start') console.log('call', event.name)
  if (event.type === 'call-delta') console.log('  +', event.delta)
  if (event.type === 'call-end') console.log('end', event.call.args, event.call.complete)
}

// text "One moment. "
// call write_file
//   + {"path":"a.txt
//   + ","content":"hel
//   + lo"}
// end { path: 'a.txt', content: 'hello' } true
