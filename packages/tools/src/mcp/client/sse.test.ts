import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execute } from '@toolglot/agent'
import { readRules } from '@toolglot/permissions'
import { expect, onTestFinished, test } from 'vitest'
import { tree, fileSystemAt } from '../../../test/tree.ts'
import { mcpTools } from './mcp-tools.ts'

/** A minimal server for the SSE transport of 2024, which the official SDK no longer serves. */
async function fakeSseServer(): Promise<string> {
  let stream: ServerResponse | undefined
  const answers: Record<string, object> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'old', version: '1' },
    },
    'tools/list': { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'pong' }] },
  }
  const server = createServer((request, response) => {
    if (request.url === '/sse' && request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    if (request.url !== '/messages') return void response.writeHead(405).end()
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      response.writeHead(202).end()
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      const answer = { jsonrpc: '2.0', id, result: answers[method] }
      if (id !== undefined) stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
}

test('connects to an old server through SSE', async () => {
  const folder = tree()
  const host = { fileSystem: fileSystemAt(folder), storage: { folder } }
  const servers = { old: { url: await fakeSseServer() } }
  const mcp = await mcpTools(servers, { host, environment: {}, version: '1', startTimeout: 20_000 })
  onTestFinished(() => mcp.close())
  expect(mcp.problems).toEqual([])
  const call = { id: '1', name: 'mcp__old__ping', args: {} }
  const permissions = readRules({ allow: ['mcp__old'] })
  expect(
    await execute(call, { tools: mcp.tools, permissions, fileSystem: host.fileSystem }),
  ).toMatchObject({
    result: { text: 'pong' },
  })
})
