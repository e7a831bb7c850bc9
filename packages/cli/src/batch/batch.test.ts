import { setImmediate as turn } from 'node:timers/promises'
import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { startCommand } from '../../test/start-command.ts'
import { batch, linesOf } from './batch.ts'

const text =
  'Look:\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'
const at = text.indexOf('<')

async function ask(...lines: (string | object)[]): Promise<Record<string, unknown>[]> {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const { code, output } = await startCommand(['parse', '--batch'], { input: input.join('\n') })
  expect(code).toBe(0)
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('an answer has the documented shape', async () => {
  expect(await ask({ id: 'a', protocol: 'hermes', text })).toEqual([
    {
      id: 'a',
      protocol: 'hermes',
      content: 'Look:\n',
      reasoning: '',
      calls: [
        {
          id: expect.any(String) as string,
          name: 'get_weather',
          arguments: { city: 'Hanoi' },
          complete: true,
          repairs: [],
        },
      ],
      malformed: [],
      segments: [
        { type: 'text', span: [0, at] },
        { type: 'call', span: [at, text.length] },
      ],
    },
  ])
})

test('reports a malformed block and keeps it in the content', async () => {
  const broken = '<tool_call>\n{"name": ]}\n</tool_call>'
  const [answer] = await ask({ id: 1, protocol: 'hermes', text: broken })
  expect(answer).toMatchObject({
    id: 1,
    content: broken,
    calls: [],
    malformed: [{ problem: 'syntax', raw: broken, span: [0, broken.length] }],
    segments: [{ type: 'malformed', span: [0, broken.length] }],
  })
})

test('gives the same answer for chunks, single characters and the whole text', async () => {
  const [whole, ...others] = await ask(
    { id: 1, text },
    { id: 1, chunks: text.split('') },
    { id: 1, chunks: [text.slice(0, 20), text.slice(20)] },
    { id: 1, text, chunks: 'every-char' },
  )
  const withoutIds = (answer: unknown): unknown =>
    JSON.parse(JSON.stringify(answer).replace(/"id":"[^"]*"/g, '"id":""'))
  for (const other of others) expect(withoutIds(other)).toEqual(withoutIds(whole))
})

test('auto reports the protocol it found, or itself', async () => {
  const answers = await ask(
    { id: 1, text },
    { id: 2, protocol: 'auto', text: 'Hello' },
    { id: 3, protocol: ['ptk', 'hermes'], text },
  )
  expect(answers.map(({ protocol }) => protocol)).toEqual(['hermes', 'auto', 'hermes'])
})

test('passes on the options of a request', async () => {
  const cut = text.slice(0, -3)
  const [length, stop, reasoning] = await ask(
    { id: 1, protocol: 'hermes', text: cut, finish: 'length' },
    { id: 2, protocol: 'hermes', text: cut, finish: 'stop' },
    { id: 3, protocol: 'hermes', text: 'Hm.\n</think>\nHello', startsInReasoning: true },
  )
  expect(length).toMatchObject({ calls: [{ complete: false }] })
  expect(stop).toMatchObject({ calls: [{ complete: true, repairs: ['missing-closer'] }] })
  expect(reasoning).toMatchObject({ reasoning: expect.stringContaining('Hm.') as string })
})

test.each([
  ['not JSON', '{"id": 1,', null, 'not JSON'],
  ['not an object', '[1]', null, 'must be an object, not a list'],
  ['no reply', { id: 1 }, 1, '"text" must be a string (or use "chunks")'],
  ['every-char without text', { id: 1, chunks: 'every-char' }, 1, '"text" must be a string'],
  ['a number as text', { id: 'x', text: 5 }, 'x', 'not the number 5'],
  ['chunks of numbers', { id: 'x', chunks: [1] }, 'x', '"chunks" must be a list of strings'],
  ['an unknown protocol', { id: 2, protocol: 'hermse', text }, 2, 'Did you mean hermes?'],
  ['a protocol of objects', { id: 2, protocol: [{}], text }, 2, '"protocol" must be an id'],
  [
    'an unknown finish',
    { id: 2, finish: 'done', text },
    2,
    '"finish" must be one of stop, stop-string',
  ],
  ['bad tools', { id: 2, tools: [{}], text }, 2, 'In "tools", the name of tool 1 must be'],
  ['a word for a boolean', { id: 2, repairs: 'no', text }, 2, '"repairs" must be true or false'],
])('answers %s with an error, and reads the next request', async (_, bad, id, error) => {
  const [answer, next] = await ask(bad, { id: 'next', text: 'Hello' })
  expect(answer).toEqual({ id, error: expect.stringContaining(error) as string })
  expect(next).toMatchObject({ id: 'next', content: 'Hello' })
})

test('warns about bytes that are not UTF-8 and reads them as U+FFFD', async () => {
  const input = Buffer.from('{"id":1,"text":"a?b"}')
  input[input.indexOf('?')] = 0xff
  const { output, errors } = await startCommand(['parse', '--batch'], { input })
  expect(JSON.parse(output)).toMatchObject({ id: 1, content: 'a\ufffdb' })
  expect(errors).toContain('request 1 is not valid UTF-8')
})

test('prints no answer without requests', async () => {
  expect(await startCommand(['parse', '--batch'], { input: '' })).toEqual({
    code: 0,
    output: '',
    errors: '',
    questions: [],
  })
})

test('does not read requests faster than its answers are read', async () => {
  let asked = 0
  function* requests(): Iterable<Buffer> {
    for (; asked < 200; asked++) yield Buffer.from(`{"id":${asked},"text":"Hello"}\n`)
  }
  const waiting: (() => void)[] = []
  const slow = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => void waiting.push(done),
  })
  const finished = batch(
    Readable.from(requests(), { highWaterMark: 1 }),
    slow,
    (request) => request,
    () => {},
  )

  for (let i = 0; i < 50; i++) await turn()
  expect(asked).toBeLessThan(20)

  const pump = setInterval(() => waiting.splice(0).forEach((done) => done()))
  await finished
  clearInterval(pump)
  expect(asked).toBe(200)
})

async function lines(chunks: readonly string[], limit?: number): Promise<string[]> {
  const bytes = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  const found: string[] = []
  for await (const line of linesOf(bytes, limit === undefined ? {} : { limit })) {
    found.push('tooLong' in line ? 'too long' : Buffer.from(line.bytes).toString())
  }
  return found
}

test.each([
  [['a\nb\n'], ['a', 'b']],
  [['a\nb'], ['a', 'b']],
  [
    ['a', 'b\nc', '\nd'],
    ['ab', 'c', 'd'],
  ],
  [['\n\n a \n \t\r\n'], [' a ']],
  [['a\u2028b\n'], ['a\u2028b']], // a line break to some programs, an ordinary character in JSON
  [[], []],
])('%j', async (chunks, expected) => {
  expect(await lines(chunks)).toEqual(expected)
})

test('drops a line over the limit and reads the next one', async () => {
  expect(await lines(['1234', '5678', '9\nok\n', '123456789'], 8)).toEqual([
    'too long',
    'ok',
    'too long',
  ])
})
