// A fake model server that streams as fast as it is read. What it writes depends on the model's name:
// `prose-CHARACTERS-CHUNK` or `openers-CHARACTERS-CHUNK`. Prints its port.
import { once } from 'node:events'
import { createServer } from 'node:http'

const PROSE = 'It rains in Hanoi, and the wind turns to the south. Take an umbrella.\n'
const OPENERS = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "'

const server = createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const { model, messages } = JSON.parse(Buffer.concat(parts).toString())
  const [kind, characters, chunk] = model.split('-')
  const size = Number(chunk)
  const text = kind === 'openers' ? OPENERS : PROSE
  const source = text.repeat(Math.ceil(4096 / text.length))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let isGone = false
  response.on('close', () => (isGone = true))
  for (let at = 0; at < Number(characters) && !isGone; at += size) {
    const from = at % (source.length - size)
    const content = source.slice(from, from + size)
    const event = { id: 'x', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta: { content }, finish_reason: null }] }
    if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  if (isGone) return
  const usage = { prompt_tokens: JSON.stringify(messages).length >> 2, completion_tokens: characters >> 2, total_tokens: 0 }
  response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`)
  response.end(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model, choices: [], usage })}\n\ndata: [DONE]\n\n`)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
