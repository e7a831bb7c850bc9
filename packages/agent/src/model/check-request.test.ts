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
])('every model can be asked with %s', (_, more) => {
  expect(() => check(more)).not.toThrow()
})

test.each<[string, Partial<ModelRequest>]>([
  ['an image', image(png)],
  ['an image of another type, by address', image('HTTPS://example.com/a.png?b=c')],
  ['a prefill', { prefill: '<tool_call>' }],
  ['a grammar', { grammar: gbnf }],
])('%s needs a model that can do it', (_, more) => {
  expect(() => check(more, all)).not.toThrow()
  expect(() => check(more)).toThrow(ModelError)
})

test.each<[Partial<ModelRequest>, Partial<Model>, string]>([
  [image(png), { images: false }, 'qwen3:8b takes no images, but there is one in message 2: use a'],
  [{ prefill: 'a' }, {}, 'qwen3:8b starts its own replies, so it cannot continue a prefill: leave'],
  [{ prefill: 'a', tools: [ping] }, all, 'cannot continue a prefill with native function calling'],
  [
    { prefill: 'b', messages: [{ role: 'assistant', content: 'a' }] },
    all,
    'cannot continue a prefill after its own reply: end the messages',
  ],
  [{ grammar: gbnf }, {}, 'qwen3:8b follows no grammars, but the grammar is gbnf: leave it out'],
  [
    { grammar: { syntax: 'lark', text: 'start: "a"' } },
    all,
    'qwen3:8b follows gbnf, but the grammar is lark',
  ],
  [
    { toolChoice: 'required' },
    {},
    "qwen3:8b must call a tool, but has none: pass `tools`, or 'auto'",
  ],
  [{ toolChoice: { name: 'pong' } }, {}, 'qwen3:8b must call "pong", but it has none: pass that'],
  [
    { toolChoice: { name: 'pong' }, tools: [ping, { name: 'peng' }] },
    {},
    'qwen3:8b must call "pong", but its tools are ping, peng: pass that tool, or choose another.',
  ],
])('%j is refused: what the model cannot do, and what to do', (more, facts, message) => {
  const ask = (): void => check(more, facts)
  expect(ask).toThrow(ModelError)
  expect(ask).toThrow(message)
})

test.each<[object, string]>([
  [image('data:text/html;base64,PGI+'), 'data:image/…;base64,… or https://…, got "data:text/html'],
  [image('data:image/svg+xml,<svg/>'), 'an image in message 2 whose URL is data:image/'],
  [image('data:image/png;base64,'), 'got "data:image/png;base64,"'],
  [image('file:///etc/passwd'), 'got "file:///etc/passwd"'],
  [image('javascript:alert(1)'), 'got "javascript:alert(1)"'],
  [image('https://'), 'got "https://"'],
  [image(7 as never), 'got 7'],
  [saying([{ type: 'video', url: png }] as never), 'parts in message 2 that are text or images'],
  [saying([{ type: 'text' }] as never), 'parts in message 2 that are text or images'],
  [saying([null] as never), 'parts in message 2 that are text or images, got undefined'],
  [saying(null as never), "text in message 2, or parts if it is the user's, got null"],
  [{ messages: [{ role: 'system', content: [] }] }, 'text in message 1, or parts if it is'],
  [{ seed: -1 }, 'expected a `seed` that is a whole number from 0, got -1'],
  [{ seed: 1.5 }, 'got 1.5'],
  [{ seed: '1' }, 'got "1"'],
  [{ topP: 1.1 }, 'expected `topP` between 0 and 1, got 1.1'],
  [{ topP: Number.NaN }, 'got NaN'],
  [{ prefill: 5 }, 'expected a `prefill` that is a text, got 5'],
  [{ toolChoice: 'any' }, `{ name } as \`toolChoice\`, got "any"`],
  [{ grammar: { syntax: 'ebnf', text: 'a' } }, `the syntax 'gbnf' or 'lark', got "ebnf"`],
  [{ grammar: { syntax: 'gbnf', text: ' ' } }, 'a `grammar` with a text, got " "'],
  [{ grammar: 'root' }, `'gbnf' or 'lark', got undefined`],
  [
    { grammar: gbnf, responseFormat: { type: 'json' } },
    'both a grammar and a JSON response format: leave one out',
  ],
  [{ responseFormat: { type: 'xml' } }, `the type 'text' or 'json', got "xml"`],
  [
    { responseFormat: { type: 'json', schema: true } },
    'a JSON Schema in `responseFormat`, got true',
  ],
  [
    { responseFormat: { type: 'json', name: 'a b' } },
    '1 to 64 letters, digits, _ and -, got "a b"',
  ],
  [{ body: [] }, 'a `body` that is an object, got a list of 0'],
])('%j is invalid forevery model', (more, message) => {
  const ask = (): void => check(more, all)
  expect(ask).toThrow(TypeError)
  expect(ask).toThrow(message)
})

test('an invalid image is not shown whole, nor with a key', () => {
  const long = `data:text/html;base64,${'A'.repeat(100_000)}`
  expect(() => check(image(long), all)).toThrow(/^.{0,250}$/)
  expect(() => check(image('ftp://a?key=sk-abcdefghijklmnopqrstuvwxyz'), all)).not.toThrow(
    /abcdefghijklmnopqrstuvwxyz/,
  )
})
