// An MCP server with one honest tool or with hostile ones, which constantly reports that its list
// has changed.
import { createInterface } from 'node:readline'
import { hostileSchemas } from './schemas.mjs'

const isHostile = process.argv[2] === 'hostile'
const tools = isHostile
  ? hostileSchemas.map((inputSchema, at) => ({ name: `t${at}`, inputSchema }))
  : [{ name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }]

/** @param {object} message */
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const serverInfo = { name: 'bench', version: '1' }
  const capabilities = { tools: { listChanged: true } }
  /** @type {Record<string, object>} */
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities, serverInfo },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'ok' }] },
  }
  send({ id, result: results[method] ?? {} })
})
if (isHostile) setInterval(() => send({ method: 'notifications/tools/list_changed' }), 10)
