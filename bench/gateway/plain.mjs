import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createGateway } from '@toolglot/server/gateway'
import { openAiCompatible } from '@toolglot/agent/models'
const [upstream = ''] = process.argv.slice(2)
const app = new Hono()
const g = createGateway({ models: { list: async () => [], find: async (name) => ({ protocol: 'hermes', model: openAiCompatible({ url: upstream, model: name }) }) } })
for (const r of g.routes) app.on(r.method, r.path, (c) => r.handle(c.req.raw, { owner: 'x' }))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.({ port }))
