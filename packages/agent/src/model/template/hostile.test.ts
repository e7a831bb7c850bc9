import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelError } from '../model-error.ts'
import { createChatTemplate } from './chat-template.ts'
import type { ChatMessageInput } from './chat-variables.ts'
import { renderTemplate } from './render-template.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

/** Small limits make the tests fast. */
const limits = { steps: 20_000, work: 1_000_000, length: 100_000, depth: 50 }

test.each([
  [
    'endless loops',
    '{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}',
  ],
  ['a huge range', '{{ range(10 ** 15) | list }}'],
  [
    'a text that doubles',
    "{% set n = namespace(t='x') %}{% for i in range(99) %}{% set n.t = n.t ~ n.t %}{% endfor %}",
  ],
  [
    'a list that doubles',
    '{% set n = namespace(t=[1]) %}{% for i in range(99) %}{% set n.t = n.t + n.t %}{% endfor %}',
  ],
  ['a text repeated', "{{ 'x' * 10 ** 12 }}"],
  ['a wide format', "{{ '{:999999}'.format(1) }}"],
  ['a wide column', "{{ 'x'.center(10 ** 9) }}"],
  ['a replacement', "{{ ('x' * 9999) | replace('x', 'y' * 9999) }}"],
  ['a long join', "{{ range(9999) | join('y' * 9999) }}"],
  ['a macro that calls itself', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
  ['a list in itself', '{% set l = [] %}{% do l.append(l) %}{{ l }}'],
  ['a list in itself as JSON', '{% set l = [] %}{% do l.append(l) %}{{ l | tojson }}'],
  [
    'lists in themselves compared',
    '{% set a = [] %}{% set b = [] %}{% do a.append(a) %}{% do b.append(b) %}{{ a == b }}',
  ],
  ['a long search', "{% set t = 'x' * 9999 %}{% for i in range(9999) %}{{ 'y' in t }}{% endfor %}"],
  [
    'long arguments, over and over',
    '{% set b = "abcdefghij" * 9000 %}{% for i in range(9999) %}{% set x = "a" | trim(b) %}{% endfor %}',
  ],
  [
    'many long beginnings',
    '{% set p = "x" * 90000 %}{% set l = [p ~ "z"] * 9999 %}{{ (p ~ "y").startswith(l) }}',
  ],
  ['a text as many arguments', '{{ dict(*("x" * 99999)) }}'],
  ['a long format of a date', '{{ strftime_now("%Y" * 1000) }}'],
  ['a text that is escaped', '{{ ("<" * 90000) | e }}'],
  ['a text that is longer in capitals', '{{ ("ß" * 90000) | upper }}'],
  ['brackets without end', '{{ '.padEnd(200_000, '(')],
  ['deep brackets', `{{ ${'['.repeat(50_000)}${']'.repeat(50_000)} }}`],
  ['a long sum', `{{ 1${'+1'.repeat(100_000)} }}`],
  ['a long template', 'x'.repeat(600_000)],
  [
    'indentation',
    "{{ {'a': {'b': 1}} | tojson(indent=10 ** 9) | replace('x', 'y') ~ 'x' * 10 ** 9 }}",
  ],
])('%s end with an error', (_name, source) => {
  expect(() => renderTemplate(source, { variables: {}, limits })).toThrow(ModelError)
})

test('a template can search all messages for each message', () => {
  const messages = Array.from({ length: 1200 }, () => ({ role: 'user', content: 'a' }))
  const source =
    '{% for m in messages %}{% for o in messages %}{% if o.x %}{% endif %}{% endfor %}{{ m.content }}{% endfor %}'
  expect(renderTemplate(source, { variables: { messages } })).toBe('a'.repeat(1200))
})

test('a long text can be assembled piece by piece', () => {
  const source =
    "{% set n = namespace(t='') %}{% for i in range(20000) %}{% set n.t = n.t + 'some words, ' %}{% endfor %}{{ n.t | length }}"
  expect(renderTemplate(source, { variables: {} })).toBe('240000')
})

test('much white space takes linear time', () => {
  const space = ' '.repeat(200_000)
  expect(renderTemplate(`a${space}b{% if true ${space} %}c{% endif %}`, { variables: {} })).toBe(
    `a${space}bc`,
  )
})

test("a template's escape sequences do not appear in a message", () => {
  const attempt = (): string =>
    renderTemplate("{{ raise_exception('a\\x1b[31m') }}", { variables: {} })
  expect(attempt).toThrow(/a\ufffd\[31m/)
})

test('the prototype of objects is not reachable', () => {
  const variables = { m: JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as unknown }
  const source =
    "{{ m.__proto__ }} {{ m.constructor }} {{ m['toString'] is defined }} {{ ''.constructor is defined }}"
  expect(renderTemplate(source, { variables })).toBe("{'x': 1} 2 False False")
})

const word = fc.constantFrom(
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '-%}',
  '{%-',
  'if',
  'for',
  'in',
  'endfor',
  'endif',
  'set',
  'x',
  'messages',
  ...'=()[]|.,:'.split(''),
  'is',
  'not',
  'defined',
  'length',
  'tojson',
  'loop',
  '"a"',
  '1',
  '+',
  '~',
  '*',
  'macro',
  'raw',
  'namespace',
  "'",
  '\\',
  ' ',
  '\n',
  'else',
)
const anyTemplate = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '))
const anyText = fc.string({ unit: 'binary', maxLength: 30 })
const anyMessage: fc.Arbitrary<ChatMessageInput> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content: anyText }),
  fc.record({
    role: fc.constant('assistant'),
    content: anyText,
    calls: fc.array(
      fc.record({
        id: anyText,
        name: anyText,
        args: fc.dictionary(anyText, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>),
      }),
      { maxLength: 3 },
    ),
  }),
)

/** The outcome of rendering: text or a ModelError. */
function outcome(render: () => string): 'text' | 'ModelError' {
  try {
    expect(typeof render()).toBe('string')
    return 'text'
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError)
    return 'ModelError'
  }
}

test('any template yields text or a ModelError', () => {
  fc.assert(
    fc.property(anyTemplate, fc.array(anyMessage, { maxLength: 3 }), (source, messages) => {
      outcome(() => renderTemplate(source, { variables: { messages }, limits }))
    }),
    runs(400),
  )
})

const TEMPLATE = `{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}{% endif %}
{%- for c in m.tool_calls or [] %}[{{ c.id }} {{ c.function.name }} {{ c.function.arguments | tojson }}]{% endfor %}
{%- endfor %}<assistant>`

test('any messages can be rendered with a harmless template', () => {
  const template = createChatTemplate(TEMPLATE)
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 5 }), (messages) => {
      expect(outcome(() => template.render({ messages }))).toBe('text')
    }),
    runs(200),
  )
})
