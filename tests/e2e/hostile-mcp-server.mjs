// An MCP server on standard input and output. Its tools, with arbitrary text, are set in the
// environment.
import { createInterface } from 'node:readline'

const tools = JSON.parse(Buffer.from(process.env['TOOLS'] ?? '', 'base64').toString() || '[]')
// More than fits in an environment variable: the number of tools, and the length of each
// description.
const { count = 0, length = 0 } = JSON.parse(process.env['MANY'] ?? '{}')
for (let at = 0; at < count; at++)
  tools.push({
    name: `many_${at}`,
    description: 'y'.repeat(length),
    inputSchema: { type: 'object' },
  })
const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: '<b>hostile</b>', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  ping: () => ({}),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || !(method in answers)) continue
  const result = answers[method](params)
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
