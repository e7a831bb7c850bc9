// Starts a run on a server, answers what it asks for, and prints its answer. The server is part of
// this example; for a server that is already running: createClient({ url: 'http://127.0.0.1:4747',
// token }), with the token that `toolglot token` prints.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, workspaceModels } from '@toolglot/server'
import { createClient } from '@toolglot/server/client'
import { openWorkspace } from '@toolglot/workspace'

const folder = await mkdtemp(join(tmpdir(), 'remote-run-'))
const workspace = await openWorkspace(folder, { env: { HOME: folder } })
const token = `${crypto.randomUUID()}${crypto.randomUUID()}`
const models = workspaceModels(workspace)
const server = await startServer({ workspace, models, token, stateFolder: folder, port: 0 })

const client = createClient({ url: server.url, token })
const { run } = await client.request('POST /api/runs', {
  // A script, not an AI. A real model: ollama/qwen3:8b
  body: { prompt: 'Create hello.txt and edit it', model: 'script' },
})
for await (const event of client.events(run)) {
  if (event.type === 'approval-request') {
    console.log(`May it ${event.name}? Yes.`)
    const body = { key: event.key }
    await client.request('POST /api/runs/:run/approve', { parameters: { run }, body })
  }
  if (event.type === 'tool-end') console.log(`${event.name}: ${event.outcome.status}`)
  if (event.type === 'run-end') console.log(`${event.reason}: ${event.text.split('\n')[0]}`)
}

await server.close()
await rm(folder, { recursive: true })

// May it Write? Yes.
// Write: success
// May it Edit? Yes.
// Edit: success
// answer: Done. Edit returned:
