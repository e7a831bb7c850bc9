import { textOf } from '@toolglot/agent/internal'
import { scriptedModel } from '@toolglot/agent/testing'
import { printCalls } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { gatewayWith } from '../../test/gateway-client.ts'
import { speakers } from '../../test/speakers.ts'
import { helpFor } from './prepare.ts'
import type { GatewayModel } from './models.ts'

const look = {
  name: 'look',
  description: `Looks. ${'It is a long story. '.repeat(60)}`,
  parameters: {
    type: 'object',
    properties: { where: { type: 'string' }, depth: { type: 'integer' }, how: { enum: ['near'] } },
    required: ['where', 'depth', 'how'],
  },
} as const
const twice = printCalls('hermes', [
  { name: 'look', args: { where: 'a' } },
  { name: 'look', args: { where: 'b' } },
])

/** Sends a request over Messages, with help. */
async function ask(help: Partial<GatewayModel>, userAgent = 'test/1') {
  const model = scriptedModel([twice], { roles: ['system'] })
  const speaker = speakers['messages']!
  const client = gatewayWith({ model, protocol: 'hermes', ...help })
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const response = await client.send(speaker.path, speaker.body({ tools: [look] }), { headers })
  const messages = model.requests[0]!.messages.map(({ content }) => textOf(content))
  const notes = response.headers.get('x-toolglot-notes')
  return { messages, notes, calls: speaker.whole(await response.text()).calls }
}

test('sends whole descriptions and accepts several calls without help', async () => {
  const { messages, notes, calls } = await ask({})
  expect(messages[0]!.split('a long story')).toHaveLength(61)
  expect([messages.length, notes, calls.length]).toEqual([2, null, 2])
})

test('shortens the descriptions of tools, and reports that in the response', async () => {
  const whole = (await ask({})).messages[0]!.length
  const brief = await ask({ describeTools: 'brief' })
  const minimal = await ask({ describeTools: 'minimal' })
  expect(brief.notes).toBe('tools-compact')
  expect(brief.messages[0]!.length).toBeLessThan(whole - 500)
  expect(minimal.messages[0]!.length).toBeLessThan(brief.messages[0]!.length)
})

test('stops after one call', async () => {
  expect((await ask({ oneCall: true })).calls).toHaveLength(1)
})

test('adds matching examples before the conversation', async () => {
  const { messages } = await ask({ examples: 1 })
  expect(messages).toHaveLength(6)
  const args = { where: 'example', depth: 1, how: 'near' }
  expect(messages[2]).toContain(printCalls('hermes', [{ name: 'look', args }]))
  expect(messages[3]).toContain('(What the tool returned.)')
  expect(messages.at(-1)).toBe('Hi')
})

test('supports different help for a client', async () => {
  const clients = { 'claude-cli': { oneCall: true } }
  expect((await ask({ clients }, 'claude-cli/2.1.197 (external, sdk-cli)')).calls).toHaveLength(1)
  expect((await ask({ clients }, 'opencode/1.18')).calls).toHaveLength(2)
  expect((await ask({ clients }, 'constructor/1')).calls).toHaveLength(2)
})

describe('chooses help by the name of the model', () => {
  test.each([
    ['qwen3:8b', 'brief'],
    ['Llama-3.1-8B-Instruct', 'brief'],
    ['gemma3:1b-it-q4', 'brief'],
    ['phi4:14b', 'brief'],
    ['qwen3-coder:30b', 'whole'],
    ['Qwen3-235B-A22B', 'whole'],
    ['gpt-5.5', 'whole'],
    ['llama3.1:70b', 'whole'],
  ])('%s: %s', (name, describeTools) => {
    const model = { ...scriptedModel([]), name }
    expect(helpFor({ model }, null)).toEqual({ describeTools, oneCall: false, examples: 0 })
    expect(helpFor({ model, describeTools: 'whole' }, null).describeTools).toBe('whole')
  })
})
