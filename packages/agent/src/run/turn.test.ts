import { printCall } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { call, ended, scripted } from '../../test/scripted.ts'
import { reader } from '../../test/tools.ts'
import { createRegistry } from '../registry/create-registry.ts'
import {
  collect,
  cycle,
  type Message,
  ModelError,
  turn,
  type TurnEvent,
  type TurnOptions,
} from '../index.ts'

const weather = {
  name: 'weather',
  description: 'Tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

async function eventsOf(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const all: TurnEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

test('describes the tools in the model’s protocol and reads the reply', async () => {
  const reply = `<think>\nHanoi.\n</think>\nLet me see.\n${call('weather', { city: 'Hanoi' })}`
  const model = scripted([reply])
  const result = await collect(turn({ model, tools: [weather], prompt: 'Umbrella?' }))
  expect(model.sent[0]![0]!.content).toContain('<tools>')
  expect(model.requests[0]!.tools).toBe(undefined)
  expect(result).toMatchObject({
    reasoning: 'Hanoi.',
    calls: [{ name: 'weather', args: { city: 'Hanoi' }, complete: true }],
    malformed: [],
    message: { role: 'assistant', content: reply, protocol: 'hermes' },
    finish: 'stop',
  })
  expect(result.text.trim()).toBe('Let me see.')
  expect(result.prompt).toEqual(model.sent[0])
})

test('yields events as they happen, and the last one contains the result', async () => {
  const events = await eventsOf(
    turn({
      model: scripted([`Hi.\n${call('weather', { city: 'Hue' })}`]),
      tools: [weather],
      prompt: 'Go',
    }),
  )
  const types = events.map(({ type }) => type)
  expect(types.filter((type, at) => type !== types[at - 1])).toEqual([
    'text',
    'call-start',
    'call-delta',
    'call-end',
    'turn-end',
  ])
  expect(events.at(-1)).toMatchObject({ result: { calls: [{ name: 'weather' }] } })
})

test('turn() and cycle() form a loop', async () => {
  const model = scripted([call('look', { key: 'a' }), 'It is 7.'])
  const tools = createRegistry([reader(() => 7)])
  const messages: Message[] = [{ role: 'user', content: 'What is a?' }]
  for (;;) {
    const reply = await collect(turn({ model, messages, tools }))
    messages.push(reply.message)
    if (reply.calls.length === 0) break
    const { message } = await collect(cycle({ reply, messages, tools }))
    messages.push(message)
  }
  expect(messages.map(({ role }) => role).join()).toBe('user,assistant,results,assistant')
  expect(model.sent[1]!.at(-1)!.content).toBe('<tool_response>\n7\n</tool_response>')
})

test('ids are unique in a conversation', async () => {
  const model = scripted(Array.from({ length: 3 }, () => call('weather', { city: 'Hue' })))
  const ids = new Set<string>()
  for (let at = 0; at < 3; at++) {
    const { calls } = await collect(turn({ model, tools: [weather], prompt: 'Go' }))
    ids.add(calls[0]!.id)
  }
  expect(ids.size).toBe(3)
})

test('finds calls that a model writes as text even if it has function calling', async () => {
  const text = printCall('mistral', { name: 'weather', args: { city: 'Hue' } })
  const model = scripted([text], { native: true })
  const { calls, message } = await collect(turn({ model, tools: [weather], prompt: 'Go' }))
  expect(model.requests[0]!.tools).toEqual([weather])
  expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Hue' } }])
  expect(message).toMatchObject({ content: text, protocol: calls[0]!.protocol })
})

test('sends tools in the request for a template that describes them, and parses calls from text', async () => {
  const model = scripted([call('weather', { city: 'Hue' }), 'Rain.'], { drawsTools: true })
  const messages: Message[] = [{ role: 'user', content: 'Umbrella in Hue?' }]
  const reply = await collect(turn({ model, messages, tools: [weather] }))
  expect(model.sent[0]).toEqual([{ role: 'user', content: 'Umbrella in Hue?' }])
  expect(model.requests[0]!.tools).toEqual([weather])
  const [made] = reply.calls
  messages.push(reply.message, {
    role: 'results',
    results: [{ call: reply.message.calls![0]!, output: 'rain' }],
  })
  await collect(turn({ model, messages, tools: [weather] }))
  expect(model.sent[1]!.slice(1)).toEqual([
    {
      role: 'assistant',
      content: '',
      calls: [{ id: made!.id, name: 'weather', args: { city: 'Hue' } }],
    },
    { role: 'tool', call: made!.id, content: 'rain' },
  ])
})

describe('a request', () => {
  test('contains all options', async () => {
    const model = scripted(['Hi.'], { native: true, grammars: ['gbnf'] })
    await collect(
      turn({
        model,
        tools: [weather],
        prompt: 'Go',
        toolChoice: 'auto',
        responseFormat: { type: 'text' },
        grammar: { syntax: 'gbnf', text: 'root ::= "x"' },
        temperature: 0,
        topP: 0.5,
        seed: 7,
        maxOutputTokens: 9,
        stop: ['END'],
        body: { top_k: 1 },
      }),
    )
    expect(model.requests[0]).toMatchObject({
      toolChoice: 'auto',
      responseFormat: { type: 'text' },
      grammar: { syntax: 'gbnf' },
      temperature: 0,
      topP: 0.5,
      seed: 7,
      maxTokens: 9,
      stop: ['END'],
      body: { top_k: 1 },
    })
  })

  test('a tool choice ignored by the model causes a warning', async () => {
    const warnings = async (toolChoice: 'none' | 'required' | { name: string }, reply: string) => {
      const events = await eventsOf(
        turn({ model: scripted([reply]), tools: [weather], prompt: 'Go', toolChoice }),
      )
      return events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))
    }
    const called = call('weather', { city: 'Hue' })
    expect(await warnings('required', 'No.')).toEqual(['tool_choice'])
    expect(await warnings('required', called)).toEqual([])
    expect(await warnings({ name: 'weather' }, called)).toEqual([])
    expect(await warnings({ name: 'weather' }, call('other', {}))).toEqual(['tool_choice'])
    expect(await warnings('none', called)).toEqual(['tool_choice'])
  })

  test('toolChoice none describes no tools', async () => {
    const model = scripted(['Hi.'])
    await collect(turn({ model, tools: [weather], prompt: 'Go', toolChoice: 'none' }))
    expect(model.sent[0]).toEqual([{ role: 'user', content: 'Go' }])
  })
})

describe('a prefill', () => {
  const begun = '<tool_call>\n{"name": "weather", "arguments": {"city": "'

  test('is part of the reply and the history', async () => {
    const model = scripted(['Hue"}}\n</tool_call>'], { prefill: true })
    const { calls, message } = await collect(
      turn({ model, tools: [weather], prompt: 'Go', prefill: begun }),
    )
    expect(model.requests[0]!.prefill).toBe(begun)
    expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Hue' }, complete: true }])
    expect(message.content).toBe(`${begun}Hue"}}\n</tool_call>`)
  })

  test.each([
    ['in another protocol', '[TOOL_CALLS]weather[ARGS]{', 'a call in mistral'],
    ['with a mark of another protocol', '[TOOL_CALLS]', 'a call in mistral'],
    ['that is a whole call', call('weather', { city: 'Hue' }), 'is a whole call'],
    ['that is malformed', '<tool_call>\n{oops}\n</tool_call>', 'a malformed call'],
  ])('%s is rejected immediately', (_, prefill, message) => {
    const model = scripted([], { prefill: true })
    expect(() => turn({ model, prompt: 'Go', prefill })).toThrow(TypeError)
    expect(() => turn({ model, prompt: 'Go', prefill })).toThrow(message)
  })

  test('is rejected immediately with function calling', () => {
    const options = { tools: [weather], prompt: 'Go', prefill: 'Hi' }
    for (const facts of [{ native: true }, { drawsTools: true }])
      expect(() => turn({ ...options, model: scripted([], facts) })).toThrow(
        'prefill cannot be used',
      )
  })

  test('is rejected by a model that cannot continue a reply', async () => {
    const asked = collect(turn({ model: scripted([]), prompt: 'Go', prefill: 'Hi' }))
    await expect(asked).rejects.toThrow('scripted-hermes-3 cannot continue a prefill.')
  })
})

test('images are rejected by a model that does not accept them', async () => {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' },
  ] as const
  const messages: Message[] = [{ role: 'user', content }]
  const refused = collect(turn({ model: scripted([]), messages }))
  await expect(refused).rejects.toThrow(/scripted-hermes-3 .*images/)
  const model = scripted(['A cat.'], { images: true })
  expect((await collect(turn({ model, messages }))).text).toBe('A cat.')
  expect(model.sent[0]).toEqual(messages)
})

test('a reply cut off inside a call is flagged', async () => {
  const cut = call('weather', { city: 'Hue' }).slice(0, -20)
  const { calls, finish } = await collect(
    turn({ model: scripted([ended(cut, 'length')]), tools: [weather], prompt: 'Go' }),
  )
  expect(finish).toBe('length')
  expect(calls).toMatchObject([{ name: 'weather', complete: false }])
})

describe('failures', () => {
  const broken = new ModelError('cut_off', 'The connection broke.')
  const partly = async function* (): AsyncGenerator<{ type: 'text'; delta: string }> {
    yield { type: 'text', delta: 'Half of ' }
    throw broken
  }

  test('are retried, and earlier events are declared void', async () => {
    const events = await eventsOf(
      turn({ model: scripted([() => partly(), 'Whole.']), prompt: 'Go' }),
    )
    expect(events.map(({ type }) => type)).toEqual(['text', 'warning', 'text', 'turn-end'])
    expect(events.at(-1)).toMatchObject({ result: { text: 'Whole.' } })
  })

  test('are not retried after part of a reply that cannot be taken back', async () => {
    const options = { prompt: 'Go', retryReplies: false }
    const seen: string[] = []
    const read = async (): Promise<void> => {
      for await (const { type } of turn({ ...options, model: scripted([() => partly(), 'No.']) }))
        seen.push(type)
    }
    await expect(read()).rejects.toBe(broken)
    expect(seen).toEqual(['text'])
    const early = turn({
      ...options,
      model: scripted([new ModelError('unavailable', 'Busy.'), 'Yes.']),
    })
    expect((await collect(early)).text).toBe('Yes.')
  })

  test('an abort in the middle takes effect immediately, even if the model ignores it', async () => {
    const stop = new AbortController()
    let isClosed = false
    const model = scripted([
      async function* () {
        try {
          yield { type: 'text' as const, delta: 'One' }
          await new Promise(() => {})
        } finally {
          isClosed = true
        }
      },
    ])
    const read = async (): Promise<void> => {
      for await (const _ of turn({ model, prompt: 'Go', signal: stop.signal }))
        stop.abort(new Error('Enough.'))
    }
    await expect(read()).rejects.toThrow('Enough.')
    expect(isClosed).toBe(false)
  })

  test('closes the reply if the consumer stops reading', async () => {
    let isClosed = false
    const model = scripted([
      async function* (request) {
        try {
          for (;;) {
            yield { type: 'text' as const, delta: 'more ' }
            await new Promise((resolve) => setImmediate(resolve))
            request.signal.throwIfAborted()
          }
        } finally {
          isClosed = true
        }
      },
    ])
    for await (const _ of turn({ model, prompt: 'Go' })) break
    await expect.poll(() => isClosed).toBe(true)
  })
})

describe('tools', () => {
  const registry = createRegistry([reader()])
  const offered = async (options: object): Promise<boolean> => {
    const model = scripted(['Hi.'])
    await collect(turn({ model, prompt: 'Go', ...options }))
    return model.sent[0]!.length === 2
  }

  test('an empty list means no tools, regardless of the registry', async () => {
    expect(await offered({ registry, tools: [] })).toBe(false)
    expect(await offered({ registry })).toBe(true)
    expect(await offered({ registry, tools: ['look'] })).toBe(true)
    expect(await offered({ tools: new Map([['look', reader()]]) })).toBe(true)
  })

  test('a list that has grown is described in its current state', async () => {
    const tools = [weather]
    const model = scripted(['Hi.', 'Hi.'])
    await collect(turn({ model, prompt: 'Go', tools }))
    tools.push({ ...weather, name: 'forecast' })
    await collect(turn({ model, prompt: 'Go', tools }))
    expect(model.sent[0]![0]!.content).not.toContain('forecast')
    expect(model.sent[1]![0]!.content).toContain('forecast')
  })

  test.each<[unknown, string]>([
    [{}, 'tools must be a registry, or a list of tools, definitions or names, not an object'],
    [[null], 'A tool must be an object with name'],
    [[{}], 'The name of a tool must be'],
    [[{ name: 'x', handler: () => 1 }], 'Rename handler to execute.'],
    [[weather, weather], 'Two tools are named "weather".'],
    [[{ name: 'x', parameters: 'x' }], 'must be a JSON Schema, not "x"'],
  ])('%j is rejected immediately', (tools, message) => {
    const options = { model: scripted([]), prompt: 'Go', tools } as TurnOptions
    expect(() => turn(options)).toThrow(message)
  })

  test('a model with function calling can get its tools in the prompt', async () => {
    const model = scripted(['Hi.'], { native: true })
    await collect(turn({ model, prompt: 'Go', tools: [weather], toolsIn: 'prompt' }))
    expect(model.sent[0]![0]!.content).toContain('<tools>')
    const options = { model, prompt: 'Go', protocol: 'native', toolsIn: 'prompt' } as const
    expect(() => turn(options)).toThrow('Native function calling does not describe')
  })
})

test('calls in text and native calls have different indexes', async () => {
  const events = await eventsOf(
    turn({
      model: scripted([
        [
          { type: 'call', index: 0, id: 'n', name: 'weather', delta: '{"city": "na' },
          { type: 'text', delta: call('weather', { city: 'text' }) },
          { type: 'call', index: 0, delta: 'tive"}' },
          { type: 'finish', finish: 'stop' },
        ],
      ]),
      tools: [weather],
      prompt: 'Go',
    }),
  )
  const texts = new Map<number, string>()
  for (const event of events)
    if (event.type === 'call-delta')
      texts.set(event.index, (texts.get(event.index) ?? '') + event.delta)
  expect([...texts.values()].map((text) => JSON.parse(text) as unknown)).toEqual([
    { city: 'native' },
    { city: 'text' },
  ])
  const started = events.flatMap((event) => (event.type === 'call-start' ? [event.id] : []))
  expect(new Set(started).size).toBe(2)
  for (const id of started) expect(id).toMatch(/^[a-z0-9]{9}$/)
  const ended = events.flatMap((event) => (event.type === 'call-end' ? [event.call.id] : []))
  expect(ended.sort()).toEqual(started.sort())
})

test('the beginning of a malformed reply is not lost', async () => {
  const model = scripted(['<tool_call>{oops}</tool_call>'], { prefill: true })
  const { message } = await collect(turn({ model, prompt: 'Go', prefill: 'Sure: ' }))
  expect(message.content.replaceAll('\u2060', '')).toBe('Sure: <tool_call>{oops}</tool_call>')
  expect(message.content).not.toContain('<tool_call>')
})

test.each(['<tool_call>\n<function=wea', '<tool_call>\n<function=weather>\n<parameter=city>\nH'])(
  'a prefill can end anywhere in a call: %j',
  (prefill) => {
    const model = scripted([], { prefill: true })
    const options = { model, prompt: 'Go', tools: [weather], protocol: 'qwen3-coder' } as const
    expect(() => turn({ ...options, prefill })).not.toThrow()
  },
)
