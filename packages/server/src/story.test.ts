// Start here: using a server from programs, with any client for the OpenAI API or with a client for
// its own API.
import { scriptedModel } from '@toolglot/agent/testing'
import { printCall } from '@toolglot/core'
import { openWorkspace } from '@toolglot/workspace'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { createClient } from './client/index.ts'
import { type ServerOptions, startServer, workspaceModels } from './index.ts'

const token = 'a-token-that-is-long-enough-to-be-accepted'

async function start(options: Partial<ServerOptions>) {
  const models = { list: async () => [], find: async () => undefined }
  const server = await startServer({ models, token, stateFolder: folderOf(), port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

/** A server whose model can only write text and gives these replies. */
function serverThatWrites(...replies: string[]) {
  const model = scriptedModel(replies)
  return start({
    models: {
      list: async () => [{ name: 'tiny', owner: 'me' }],
      find: async () => ({ model, protocol: 'hermes' }),
    },
  })
}

const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: {} } } },
}
const call = printCall('hermes', { name: 'get_weather', args: { city: 'Hanoi' } })

test('Any client of the OpenAI API gets calls from a model that can only write text', async () => {
  const { url } = await serverThatWrites(`I look.\n${call}`)
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'tiny',
      messages: [{ role: 'user', content: 'Umbrella in Hanoi?' }],
      tools: [weather],
    }),
  })
  expect(await response.json()).toMatchObject({
    choices: [
      {
        message: {
          content: 'I look.',
          tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Hanoi"}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  })
})

test('No one gets in without a token, and no other page in a browser', async () => {
  const { url } = await serverThatWrites()
  expect((await fetch(`${url}/v1/models`)).status).toBe(401)
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200)
  const foreign = { ...headers, origin: 'https://evil.example' }
  expect((await fetch(`${url}/v1/models`, { headers: foreign })).status).toBe(403)
})

test('My program starts a run, approves a change elsewhere, and reads the answer', async () => {
  const folder = folderOf()
  const workspace = await openWorkspace(folder, { env: { HOME: folderOf() } })
  const { url } = await start({ workspace, models: workspaceModels(workspace) })
  const client = createClient({ url, token })
  const { run } = await client.request('POST /api/runs', {
    body: { prompt: 'Create hello.txt and edit it', model: 'script' },
  })
  const approved: string[] = []
  for await (const event of client.events(run)) {
    if (event.type === 'approval-request') {
      expect(existsSync(join(folder, 'hello.txt'))).toBe(approved.length > 0)
      approved.push(event.name)
      const parameters = { run }
      await client.request('POST /api/runs/:run/approve', { parameters, body: { key: event.key } })
    }
    if (event.type === 'run-end') expect(event.reason).toBe('answer')
  }
  expect(approved).toEqual(['Write', 'Edit'])
  expect(existsSync(join(folder, 'hello.txt'))).toBe(true)
})
