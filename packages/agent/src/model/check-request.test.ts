import { expect, test } from 'vitest'
import { request } from '../../test/replies.ts'
import { checkRequest } from './check-request.ts'
import type { Content } from './chat-message.ts'
import type { Model, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'

const png = 'data:image/png;base64,iVBORw0KGgo='
const ping = { name: 'ping' }
const gbnf = { syntax: 'gbnf', text: 'root ::= "a"' } as const

const saying = (content: Content): Partial<ModelRequest> => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
})
const image = (url: string): Partial<ModelRequest> =>
  saying([
    { type: 'text', text: 'What is this?' },
    { type: 'image', url },
  ])

function check(more: object, facts: Partial<Model> = {}): void {
  checkRequest({ name: 'qwen3:8b', ...facts }, request(more))
}

const all: Partial<Model> = { images: true, prefill: true, grammars: ['gbnf'] }

test.each<[string, Partial<ModelRequest>]>([
  ['text only', {}],
  ['parts without images', saying([{ type: 'text', text: 'Hello' }])],
  ['defaults', { toolChoice: 'auto', prefill: '', responseFormat: { type: 'text' }, body: {} }],
  ['no choice without tools', { toolChoice: 'none' }],
  ['a choice', { tools: [ping], toolChoice: { name: 'ping' } }],
  ['a required call', { tools: [ping], toolChoice: 'required' }],
  ['values at their limits', { topP: 1, seed: 0 }],
  ['a schema', { responseFormat: { type: 'json', schema: { type: 'object' }, name: 'a-1_B' } }],
])('every model accepts %s', (_, more) => {
  expect(() => check(more)).not.toThrow()
})

test.each<[string, Partial<ModelRequest>]>([
  ['an image', image(png)],
  ['an image of another type, by address', image('HTTPS://example.com/a.png?b=c')],
  ['a prefill', { prefill: '<tool_call>' }],
  ['a grammar', { grammar: gbnf }],
])('%s requires a model that supports it', (_, more) => {
  expect(() => check(more, all)).not.toThrow()
  expect(() => check(more)).toThrow(ModelError)
})

test.each<[Partial<ModelRequest>, Partial<Model>, string]>([
  [
    image(png),
    { images: false },
    'qwen3:8b does not accept images, but there is one in message 2. Use another',
  ],
  [{ prefill: 'a' }, {}, 'qwen3:8b cannot continue a prefill. Omit it, or set `prefill: true` for'],
  [{ prefill: 'a', tools: [ping] }, all, 'cannot continue a prefill with native function calling'],
  [
    { prefill: 'b', messages: [{ role: 'assistant', content: 'a' }] },
    all,
    'cannot continue a prefill after its own reply. End the messages',
  ],
  [{ grammar: gbnf }, {}, 'qwen3:8b supports no grammars, but the grammar is gbnf. Omit it, or'],
  [
    { grammar: { syntax: 'lark', text: 'start: "a"' } },
    all,
    'qwen3:8b supports gbnf, but the grammar is lark.',
  ],
  [
    { toolChoice: 'required' },
    {},
    "qwen3:8b must call a tool, but has none. Pass `tools`, or 'auto'.",
  ],
  [{ toolChoice: { name: 'pong' } }, {}, 'qwen3:8b must call "pong", but it has none. Pass that'],
  [
    { toolChoice: { name: 'pong' }, tools: [ping, { name: 'peng' }] },
    {},
    'qwen3:8b must call "pong", but its tools are ping, peng. Pass that tool, or choose another.',
  ],
])('%j is rejected with the problem and advice', (more, facts, message) => {
  const ask = (): void => check(more, facts)
  expect(ask).toThrow(ModelError)
  expect(ask).toThrow(message)
})

test.each<[object, string]>([
  [image('data:text/html;base64,PGI+'), 'must be data:image/…;base64,… or https://…,'],
  [image('data:image/svg+xml,<svg/>'), 'The URL of an image in message 2 must'],
  [image('data:image/png;base64,'), 'https://…, not "data:image/png;base64,".'],
  [image('file:///etc/passwd'), 'https://…, not "file:///etc/passwd".'],
  [image('javascript:alert(1)'), 'https://…, not "javascript:alert(1)".'],
  [image('https://'), 'https://…, not "https://".'],
  [image(7 as never), 'https://…, not 7.'],
  [saying([{ type: 'video', url: png }] as never), 'each part in message 2 must be a valid'],
  [saying([{ type: 'text' }] as never), 'each part in message 2 must be a valid'],
  [saying([null] as never), 'in message 2 must be a valid text or image, not'],
  [saying(null as never), 'The content in message 2 must be text, or parts if it is'],
  [{ messages: [{ role: 'system', content: [] }] }, 'in message 1 must be text, or parts if'],
  [{ seed: -1 }, '`seed` must be a whole number of at least 0, not -1.'],
  [{ seed: 1.5 }, '0, not 1.5.'],
  [{ seed: '1' }, '0, not "1".'],
  [{ topP: 1.1 }, 'a number from 0 to 1, not 1.1.'],
  [{ topP: Number.NaN }, '1, not NaN.'],
  [{ prefill: 5 }, '`prefill` must be a string, not 5.'],
  [{ toolChoice: 'any' }, `'required' or { name }, not "any".`],
  [{ grammar: { syntax: 'ebnf', text: 'a' } }, `must be 'gbnf' or 'lark', not "ebnf".`],
  [{ grammar: { syntax: 'gbnf', text: ' ' } }, 'The text of `grammar` must be a string'],
  [{ grammar: 'root' }, `'gbnf' or 'lark', not undefined.`],
  [
    { grammar: gbnf, responseFormat: { type: 'json' } },
    'have both a grammar and a JSON response format. Omit one',
  ],
  [{ responseFormat: { type: 'xml' } }, `must be 'text' or 'json', not "xml".`],
  [{ responseFormat: { type: 'json', schema: true } }, 'schema of `responseFormat` must be a JSON'],
  [
    { responseFormat: { type: 'json', name: 'a b' } },
    '1 to 64 letters, digits, _ and -, not "a b".',
  ],
  [{ body: [] }, '`body` must be an object, not a list of 0.'],
])('%j is invalid for every model', (more, message) => {
  const ask = (): void => check(more, all)
  expect(ask).toThrow(TypeError)
  expect(ask).toThrow(message)
})

test('an invalid image is not shown completely or with a key', () => {
  const long = `data:text/html;base64,${'A'.repeat(100_000)}`
  expect(() => check(image(long), all)).toThrow(/^.{0,250}$/)
  expect(() => check(image('ftp://a?key=sk-abcdefghijklmnopqrstuvwxyz'), all)).not.toThrow(
    /abcdefghijklmnopqrstuvwxyz/,
  )
})
