import { printCalls, type ProtocolId } from '@toolglot/core'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agent, AgentCall, ApiName } from './agent.ts'
import * as agents from './agents/index.ts'
import { run, textOf, whenAsked } from './conversation.ts'
import type { Place } from './run-agent.ts'
import { threeRounds } from './three-rounds.ts'

const protocols: readonly ProtocolId[] = ['hermes', 'qwen3-coder', 'mistral-array']
const pairs = Object.values(agents).flatMap((agent) =>
  agent.apis.map((api): [string, ApiName, Agent] => [agent.name, api, agent]),
)

describe.each(pairs)('%s over %s', (_, api, agent) => {
  test.each(protocols)('%s: one call, two at once, the answer', async (protocol) => {
    await threeRounds(agent, api, protocol)
  })

  test('runs nothing of a call that was cut off', async () => {
    const canary = (place: Place): AgentCall =>
      agent.shell(`echo ran > ${join(place.folder, 'canary')}; echo ${'0123456789'.repeat(4)}`)
    const { place, exchanges } = await run(agent, api, 'hermes', (at) => ({
      fault: 'cut',
      reply: whenAsked(agent, () => `I will look.\n${printCalls('hermes', [canary(at)])}`),
    }))
    await expect(readFile(join(place.folder, 'canary'))).rejects.toThrow('ENOENT')
    expect(exchanges.some(({ response }) => response.includes('I will look.'))).toBe(true)
  })

  test('a call that proves malformed is written again', async () => {
    const { place, ran } = await run(agent, api, 'hermes', (at) => ({
      reply: whenAsked(agent, (messages) => {
        const told = textOf(messages.at(-1)!)
        const canary = printCalls('hermes', [agent.shell(`echo ran > ${at.folder}/canary`)])
        if (told.includes('hi-from-file')) return 'DONE-42'
        if (messages.some(({ role }) => role === 'assistant'))
          return printCalls('hermes', [agent.shell('cat hello.txt')])
        return canary.replace('"arguments": {', '"arguments": {{"')
      }),
    }))
    expect(ran.output).toContain('DONE-42')
    await expect(readFile(join(place.folder, 'canary'))).rejects.toThrow('ENOENT')
  })
})

test('Codex as gpt-5.5: a custom tool', async () => {
  const { codex } = agents
  const input = '*** Begin Patch\n*** Add File: made.txt\n+made by a patch\n*** End Patch\n'
  const { place, ran, exchanges } = await run(
    codex,
    'responses',
    'hermes',
    () => ({
      reply: whenAsked(codex, (messages) =>
        messages.some(({ role }) => role === 'assistant')
          ? 'DONE-42'
          : printCalls('hermes', [{ name: 'apply_patch', args: { input } }]),
      ),
    }),
    { model: 'gpt-5.5' },
  )
  expect(ran.output).toContain('DONE-42')
  expect(await readFile(join(place.folder, 'made.txt'), 'utf8')).toBe('made by a patch\n')
  expect(exchanges[0]!.request).toContain('"type":"custom"')
})

test('Codex as gpt-5.5: one call, two at once, the answer', async () => {
  await threeRounds(agents.codex, 'responses', 'hermes', { model: 'gpt-5.5' })
})

test('Codex: a tool in a namespace', async () => {
  const { codex } = agents
  const { ran, exchanges } = await run(codex, 'responses', 'hermes', () => ({
    reply: whenAsked(codex, (messages) =>
      messages.some(({ role }) => role === 'assistant')
        ? 'DONE-42'
        : printCalls('hermes', [
            { name: 'multi_agent_v1__close_agent', args: { target: 'nobody' } },
          ]),
    ),
  }))
  expect(ran.output).toContain('DONE-42')
  const { input } = JSON.parse(exchanges.at(-1)!.request) as {
    input: readonly Readonly<Record<string, unknown>>[]
  }
  expect(input.find(({ type }) => type === 'function_call')).toMatchObject({
    namespace: 'multi_agent_v1',
    name: 'close_agent',
  })
  const result = input.find(({ type }) => type === 'function_call_output')
  // The result comes from the tool itself.
  expect(JSON.stringify(result)).toContain('nobody')
})

test.each<[string, ApiName, Agent, string]>([
  ['Codex', 'responses', agents.codex, 'ran out of room in the model'],
  ['Claude Code', 'messages', agents.claudeCode, 'Prompt is too long'],
])('%s recognizes a conversation that is too long', async (_, api, agent, own) => {
  const { ran } = await run(agent, api, 'hermes', () => ({ status: 413 }))
  // The agent has its own message and does not repeat the gateway's.
  expect(ran.output).toContain(own)
})
