// A bare streaming proxy on the framework of the server: what a gateway costs at least.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [upstream = ''] = process.argv.slice(2)
const app = new Hono()
app.post('/v1/chat/completions', async (context) => {
  const { body, headers } = context.req.raw
  const response = await fetch(`${upstream}/chat/completions`, {
    method: 'POST',
    body,
    headers: { 'content-type': headers.get('content-type') ?? '' },
    duplex: 'half',
    signal: context.req.raw.signal,
  })
  return new Response(response.body, { status: response.status, headers: { 'content-type': response.headers.get('content-type') ?? '' } })
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.({ port }))
