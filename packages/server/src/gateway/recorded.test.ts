import type { ModelRequest } from '@toolglot/agent'
import { scriptedModel } from '@toolglot/agent/testing'
import { printCalls, printResults, type ProtocolId } from '@toolglot/core'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkChatStream } from '../../test/check-chat-stream.ts'
import type { StreamedCall } from '../../test/checked-stream.ts'
import { gatewayWith } from '../../test/gateway-client.ts'

// Recorded requests of real clients. Each gets the recorded answer, which is part of the client's
// next request.
const folder = new URL('../../test/fixtures/requests/', import.meta.url)
const chats = readdirSync(folder).filter((file) => file.endsWith('-chat.json'))
const files = chats.map((file): [client: string, requests: Recorded[]] => [
  file.replace('-chat.json', ''),
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recorded[],
])
const protocols: readonly ProtocolId[] = ['hermes', 'qwen3-coder', 'mistral-array', 'tool-call']

describe.each(protocols)('%s', (protocol) => {
  test.each(files)('the requests of %s', async (_client, requests) => {
    let calls = 0
    for (const [at, { body }] of requests.entries()) {
      const reply = replyTo(body, requests[at + 1]?.body)
      calls += reply.calls.length
      await replay(body, reply, protocol)
    }
    expect(calls).toBeGreaterThanOrEqual(3)
  })
})

interface Recorded {
  readonly body: RecordedBody
}

interface RecordedBody {
  readonly messages: readonly RecordedMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

interface RecordedMessage {
  readonly role: string
  readonly content?: string | null | readonly { readonly text: string }[]
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

interface ScriptedTurn {
  readonly text: string
  readonly calls: readonly ReturnType<typeof callsOf>[number][]
}

/** The recorded answer, as repeated in the client's next request. */
function replyTo(body: RecordedBody, next: RecordedBody | undefined): ScriptedTurn {
  const message = next?.messages[body.messages.length]
  if (message?.role !== 'assistant') return { text: 'Done.', calls: [] }
  return { text: textOf(message), calls: callsOf(message) }
}

async function replay(body: RecordedBody, reply: ScriptedTurn, protocol: ProtocolId) {
  const { text, calls } = reply
  const written = [text, ...(calls.length > 0 ? [printCalls(protocol, calls)] : [])]
  const script = written.filter((part) => part !== '').join('\n')
  const model = scriptedModel([script], { roles: ['system'], chunkSize: 3 })
  const gateway = gatewayWith({ model, protocol })
  const response = await gateway.chat(body)
  expect(response.status, await response.clone().text()).toBe(200)
  expectPrompt(model.requests[0]!, body, protocol)

  const answer = body.stream ? await readStream(response, body) : await readWhole(response)
  expect(answer.text).toBe(text)
  expect(answer.calls.map(({ name, arguments: args }) => [name, JSON.parse(args)])).toEqual(
    calls.map(({ name, args }) => [name, args]),
  )
  expect(answer.finish).toBe(calls.length > 0 ? 'tool_calls' : 'stop')
  expect(gateway.reports).toMatchObject([
    { outcome: calls.length > 0 ? 'calls' : 'answer', calls: calls.length, protocol },
  ])
}

/**
 * Checks that the model gets text: one system message at the start, and every call and result in
 * its own protocol.
 */
function expectPrompt(
  { messages, tools }: ModelRequest,
  body: RecordedBody,
  protocol: ProtocolId,
): void {
  expect(tools ?? []).toEqual([])
  const [first, ...others] = messages
  expect(others.map(({ role }) => role)).not.toContain('system')
  expect(messages.map(({ role }) => role)).not.toContain('tool')
  expect(messages.every(({ content }) => typeof content === 'string')).toBe(true)

  const prompt = messages.map(({ content }) => content as string)
  const instructions = body.messages.filter(({ role }) => role === 'system').map(textOf)
  if (instructions.length > 0) expect(first).toMatchObject({ role: 'system' })
  for (const text of instructions) expect(prompt[0]).toContain(text)
  for (const { function: definition } of body.tools ?? [])
    expect(prompt[0]).toContain(definition.name)
  for (const message of body.messages.filter(({ role }) => role === 'user'))
    expect(prompt.join('\n')).toContain(textOf(message))

  // Each turn is followed by its results, in this order.
  let at = 0
  for (const turn of turnsOf(body.messages)) {
    const { calls, results } = turn
    at = prompt.findIndex(
      (text, index) =>
        index > at &&
        messages[index]?.role === 'assistant' &&
        text.includes(printCalls(protocol, calls)),
    )
    expect(at, `the calls ${JSON.stringify(calls)}`).toBeGreaterThan(0)
    const drawn = printResults(protocol, results, { tools: [...(body.tools ?? [])] as never })
    expect(prompt[at + 1]).toContain(drawn)
    expect(messages[at + 1]?.role).toBe('user')
  }
}

async function readStream(response: Response, body: RecordedBody) {
  const usage = body.stream_options?.include_usage === true
  const usedIds = body.messages.flatMap((message) => callsOf(message).map(({ id }) => id))
  const checked = checkChatStream(await response.text(), { usage, usedIds })
  expect(checked.problems).toEqual([])
  return checked
}

async function readWhole(response: Response) {
  const { choices } = (await response.json()) as {
    choices: [{ message: Fields; finish_reason: string }]
  }
  const [{ message, finish_reason: finish }] = choices
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: args } }): StreamedCall => ({ id, name, arguments: args }),
  )
  return { text: message.content ?? '', calls, finish }
}

interface Fields {
  readonly content: string | null
  readonly tool_calls?: RecordedMessage['tool_calls']
}

/** The turns with calls, and their results. */
function turnsOf(messages: readonly RecordedMessage[]) {
  return messages.flatMap((message) => {
    const calls = callsOf(message)
    if (calls.length === 0) return []
    const results = calls.map((call) => {
      const result = messages.find(({ tool_call_id: id }) => id === call.id)!
      return { call, output: textOf(result) }
    })
    return [{ calls, results }]
  })
}

function callsOf({ tool_calls: calls = [] }: RecordedMessage) {
  return calls.map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    args: JSON.parse(args) as Record<string, unknown>,
  }))
}

function textOf({ content }: RecordedMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text).join('\n\n')
}
