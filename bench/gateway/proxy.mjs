// A minimal streaming proxy on the server's framework: the minimum cost of a gateway. Sends its
// port to its parent.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { tell } from './process.mjs'

const [upstream = ''] = process.argv.slice(2)
const app = new Hono()
app.post('/v1/chat/completions', async ({ req: { raw } }) => {
  const response = await fetch(`${upstream}/chat/completions`, {
    method: 'POST',
    body: await raw.text(),
    headers: { 'content-type': 'application/json' },
    signal: raw.signal,
  })
  const type = response.headers.get('content-type') ?? ''
  return new Response(response.body, {
    status: response.status,
    headers: { 'content-type': type },
  })
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => tell({ port }))
