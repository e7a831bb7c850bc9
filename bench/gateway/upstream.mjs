// A fake model server that streams as fast as its client reads. The model's name determines the
// text: `prose-CHARACTERS-CHUNK` or `openers-CHARACTERS-CHUNK`. Sends its port to its parent.
import { createServer } from 'node:http'
import { listen } from './process.mjs'

/** @type {Record<string, string>} */
const TEXTS = {
  prose: 'It rains in Hanoi, and the wind turns to the south. Take an umbrella.\n',
  openers: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "',
}

const server = createServer((request, response) => void answer(request, response))
listen(server)

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(request, response) {
  const parts = []
  for await (const part of request) parts.push(part)
  const { model } = JSON.parse(Buffer.concat(parts).toString())
  const [kind, characters, chunk] = model.split('-')
  const size = Number(chunk)
  const source = TEXTS[kind]?.repeat(1000).slice(0, 4096 + size) ?? ''
  /**
   * @param {object} delta
   * @param {string | null} finish
   */
  const event = (delta, finish) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < Number(characters) && !response.destroyed; at += size) {
    const content = source.slice(at % 4096, (at % 4096) + size)
    if (!response.write(event({ content }, null))) await drained(response)
  }
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`)
}

/**
 * @param {import('node:http').ServerResponse} response
 * @returns {Promise<void>}
 */
function drained(response) {
  return new Promise((resolve) => {
    const end = () => {
      response.off('drain', end)
      response.off('close', end)
      resolve()
    }
    response.on('drain', end)
    response.on('close', end)
  })
}
