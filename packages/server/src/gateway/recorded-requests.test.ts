import { textOf } from '@toolglot/agent/internal'
import { scriptedModel } from '@toolglot/agent/testing'
import { parse, printCalls, type ProtocolId } from '@toolglot/core'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { gatewayWith } from '../../test/gateway-client.ts'
import { speakers } from '../../test/speakers.ts'

// Recorded requests of real clients of Responses and Messages. Each must be accepted, and all of
// its content must reach the model as text.

const folder = new URL('../../test/fixtures/requests/', import.meta.url)
const files = readdirSync(folder).flatMap((file) => {
  const [, client, api] = /^(.+)-(responses|messages)\.json$/.exec(file) ?? []
  if (client === undefined || api === undefined) return []
  const all = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly Recorded[]
  // Requests that failed and requests without a body are skipped.
  const requests = all.filter(({ method, status }) => method === 'POST' && status === 200)
  return [[client, api, requests] as const]
})
const protocols: readonly ProtocolId[] = ['hermes', 'qwen3-coder', 'mistral-array']

interface Recorded {
  readonly method: string
  readonly status: number
  readonly body: Fields
}
type Fields = Readonly<Record<string, unknown>>

describe.each(protocols)('%s', (protocol) => {
  test.each(files)('%s over %s', async (_, api, requests) => {
    expect(requests.length).toBeGreaterThanOrEqual(3)
    for (const { body } of requests) {
      const { calls, results, tools } = contentOf(body)
      const [tool] = tools
      const reply = tool ? `Look.\n${printCalls(protocol, [callOf(tool)])}` : 'Done.'
      const model = scriptedModel([reply, reply], { roles: ['system'], chunkSize: 5 })
      const speaker = speakers[api]!
      const response = await gatewayWith({ model, protocol }).send(speaker.path, body)
      const text = await response.text()
      expect(response.status, text).toBe(200)
      const answer = body['stream'] === true ? speaker.stream(text) : speaker.whole(text)
      if ('problems' in answer) expect(answer.problems).toEqual([])
      expect(answer.calls).toHaveLength(tool ? 1 : 0)

      const { messages } = model.requests[0]!
      expect(messages.slice(1).map(({ role }) => role)).not.toContain('system')
      const prompt = messages.map(({ content }) => textOf(content)).join('\n')
      for (const each of tools) expect(prompt).toContain(each.name)
      // The model reads its calls in its own format.
      const written = messages
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ content }) => parse(textOf(content), { protocols: protocol, tools }).calls)
      expect(written.map((call) => ({ name: call.name, args: call.args }))).toEqual(calls)
      for (const result of results) expect(prompt).toContain(result.trim())
    }
  })
})

/** A call with the required arguments, all strings. */
function callOf({ name, parameters }: { name: string; parameters: Fields }) {
  const required = (parameters['required'] ?? ['input']) as readonly string[]
  return { name, args: Object.fromEntries(required.map((key) => [key, 'x'])) }
}

/** The calls, results and tools in a request. */
function contentOf(body: Fields) {
  const calls: { name: string; args: Record<string, unknown> }[] = []
  const results: string[] = []
  const blocks = [body['input'] ?? body['messages']].flat().flatMap((item) => {
    const { content } = item as Fields
    return [item as Fields, ...(Array.isArray(content) ? (content as Fields[]) : [])]
  })
  for (const block of blocks) {
    const { type, name, input, output, content } = block
    if (type === 'tool_use') calls.push({ name, args: input } as never)
    else if (type === 'function_call')
      calls.push({ name, args: JSON.parse(String(block['arguments'])) as object } as never)
    else if (type === 'custom_tool_call') calls.push({ name, args: { input } } as never)
    else if (type === 'tool_result') results.push(String(content))
    else if (typeof type === 'string' && type.endsWith('_output')) results.push(String(output))
  }
  const tools = ((body['tools'] ?? []) as readonly Fields[]).flatMap((tool) =>
    tool['type'] === 'namespace' || String(tool['type']).endsWith('_search')
      ? []
      : [
          {
            name: String(tool['name']),
            parameters: (tool['parameters'] ?? tool['input_schema'] ?? {}) as Fields,
          },
        ],
  )
  return { calls, results, tools }
}
