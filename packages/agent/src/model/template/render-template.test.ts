import { describe, expect, test } from 'vitest'
import { renderTemplate } from './render-template.ts'

const variables = {
  list: [3, 1, 2],
  name: 'Hello World',
  map: { b: 1, a: 'x', items: 5 },
  nothing: null,
  half: 2.5,
  seven: 7,
  yes: true,
  accents: 'é😀x',
  rows: [
    { k: { v: 1 }, t: 'b' },
    { k: { v: 2 }, t: 'A' },
  ],
}

const date = new Date(2026, 0, 5, 14, 7)

function render(source: string): string {
  return renderTemplate(source, { variables, date })
}

/** The output of Python's Jinja. */
const printed: Readonly<Record<string, readonly (readonly [source: string, text: string])[]>> = {
  'values as Python prints them': [
    ['{{ yes }} {{ nothing }} {{ half }} {{ 1.0 }} {{ missing }}!', 'True None 2.5 1.0 !'],
    ['{{ list }} {{ map }}', "[3, 1, 2] {'b': 1, 'a': 'x', 'items': 5}"],
    [`{{ ["it's", 'q"', none, (1,), (1, 2)] }}`, `["it's", 'q"', None, (1,), (1, 2)]`],
    ['{{ map | string }}', "{'b': 1, 'a': 'x', 'items': 5}"],
    ['{{ () }} {{ (1,) }} {% set e = () %}{{ e | length }}', '() (1,) 0'],
    ['{{ 1e16 }} {{ 0.00001 }} {{ 0.1 + 0.2 }}', '1e+16 1e-05 0.30000000000000004'],
    ["{{ 'a' + missing + 'b' }}{{ missing.field[0] }}", 'ab'],
    ["{{ 'a' ~ 1 ~ none ~ true ~ 2.0 }}", 'a1NoneTrue2.0'],
  ],
  arithmetic: [
    [
      '{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ 2 ** 3 }}',
      '3 -4 2 3.5 2.0 8',
    ],
    [
      '{{ 1 == 1.0 }} {{ true == 1 }} {{ none == false }} {{ [1, 2] == [1, 2] }}',
      'True True False True',
    ],
    ["{{ 'ab' * 2 }} {{ [1] + [2] }} {{ -seven + 1 }} {{ list|length-1 }}", 'abab [1, 2] -6 2'],
  ],
  JSON: [
    ['{{ map | tojson }}', '{"b": 1, "a": "x", "items": 5}'],
    ["{{ map | tojson(separators=(',', ':')) }}", '{"b":1,"a":"x","items":5}'],
    ['{{ map | tojson(sort_keys=true) }}', '{"a": "x", "b": 1, "items": 5}'],
    ['{{ {"a": [1], "b": []} | tojson(indent=2) }}', '{\n  "a": [\n    1\n  ],\n  "b": []\n}'],
    ['{{ accents | tojson }} {{ "é<" | tojson(ensure_ascii=true) }}', '"é😀x" "\\u00e9<"'],
    ['{{ [true, none, 1.0] | tojson }}', '[true, null, 1.0]'],
  ],
  'filters of lists': [
    ['{{ list | min }} {{ list | max }} {{ list | sum }} {{ list | sort }}', '1 3 6 [1, 2, 3]'],
    ["{{ rows | map(attribute='k.v') | join('-') }}", '1-2'],
    ["{{ rows | selectattr('t', 'equalto', 'A') | list }}", "[{'k': {'v': 2}, 't': 'A'}]"],
    ["{{ rows | rejectattr('t', 'equalto', 'A') | map(attribute='t') | first }}", 'b'],
    ["{{ rows | sort(attribute='t') | map(attribute='t') | join }}", 'Ab'],
    ["{{ list | select('odd') | list }} {{ [1, 1, 2] | unique | list }}", '[3, 1] [1, 2]'],
    ['{% for k, v in map | dictsort %}{{ k }}={{ v }};{% endfor %}', 'a=x;b=1;items=5;'],
  ],
  'filters of texts': [
    ['{{ name | upper }} {{ "aB" | capitalize }} {{ accents | length }}', 'HELLO WORLD Ab 3'],
    ["{{ 'a\\nb\\n\\nc' | indent(2) }}", 'a\n  b\n\n  c'],
    ["{{ missing | default('z') }} {{ '' | default('z', true) }}", 'z z'],
    ["{{ '3.7' | int }} {{ 'x' | int(5) }} {{ 3 | float }} {{ 2.5 | round }}", '3 5 3.0 2.0'],
    ["{{ '%s is %d %%' % ('a', 3) }} {{ '%.2f' | format(2.5) }}", 'a is 3 % 2.50'],
  ],
  methods: [
    [
      "{{ '{} and {x!r:>5}'.format(1, x='q') }} {{ '{0}{1}{0}'.format('a', 'b') }}",
      "1 and   'q' aba",
    ],
    [
      "{{ '{:05d}|{:.2f}|{:,}|{:^5}|'.format(42, 3.14159, 1234567, 'c') }}",
      '00042|3.14|1,234,567|  c  |',
    ],
    ["{{ name.split('o', 1) }} {{ name.rsplit('o', 1) }}", "['Hell', ' World'] ['Hello W', 'rld']"],
    ["{{ ' a b '.split() }} {{ name.partition(' ') }}", "['a', 'b'] ('Hello', ' ', 'World')"],
    ["{{ name.startswith(('x', 'H')) }} {{ 'xxaxx'.strip('x') }} {{ name.find('o') }}", 'True a 4'],
    ["{{ map.get('z') }} {{ map.get('z', 5) }} {{ map['items'] }}", 'None 5 5'],
    ["{% set l = [] %}{% do l.append(1) %}{{ l }} {{ 'a\\nb'.splitlines() }}", "[1] ['a', 'b']"],
  ],
  slices: [
    ['{{ name[0] }} {{ name[-1] }} {{ name[::-1] }} {{ accents[1] }}', 'H d dlroW olleH 😀'],
    ['{{ list[1:] }} {{ list[::-1] }} {{ list[:-1] }} {{ list[9] }}', '[1, 2] [2, 1, 3] [3, 1] '],
  ],
  tests: [
    [
      '{{ seven is divisibleby(7) }} {{ seven is divisibleby 7 }} {{ seven is not odd }}',
      'True True False',
    ],
    ['{{ 1 is in list }} {{ seven is eq 7 and yes }} {{ seven is gt(9) }}', 'True True False'],
    [
      '{{ half is float }} {{ yes is boolean }} {{ map is mapping }} {{ list is sequence }}',
      'True True True True',
    ],
    ["{{ 'x' if missing is defined else 'y' }} {{ nothing is none }}", 'y True'],
  ],
  loops: [
    [
      '{% for x in list %}{{ loop.index }}{{ x }}{{ loop.last }};{% endfor %}',
      '13False;21False;32True;',
    ],
    ['{% for x in list if x > 1 %}{{ x }}{{ loop.index }}{% else %}no{% endfor %}', '3122'],
    ['{% for x in [] %}x{% else %}none{% endfor %}', 'none'],
    ['{% for i, (a, b) in [(1, (2, 3))] %}{{ i }}{{ a }}{{ b }}{% endfor %}', '123'],
    [
      '{% for x in [1, 2, 3, 4] %}{% if x == 2 %}{% continue %}{% endif %}{% if x == 4 %}-{% break %}{% endif %}{{ x }}{% endfor %}',
      '13-',
    ],
    ['{% set x = 1 %}{% for y in list %}{% set x = x + y %}{{ x }},{% endfor %}{{ x }}', '4,2,3,1'],
    [
      '{% set n = namespace(x=1) %}{% for y in list %}{% set n.x = n.x + y %}{% endfor %}{{ n.x }}',
      '7',
    ],
    ["{% for c in 'ab' %}{{ c }}-{% endfor %}{% for x in missing %}x{% endfor %}", 'a-b-'],
  ],
  macros: [
    [
      '{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{% endmacro %}{{ m(1) }}{{ m(1, 3, 4) }}',
      '12()13(4,)',
    ],
    ['{% macro w() %}<{{ caller(3) }}>{% endmacro %}{% call(q) w() %}{{ q }}{% endcall %}', '<3>'],
    ['{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set q | upper %}abc{% endset %}{{ q }}', '12ABC'],
    ['{% filter upper %}abc{% endfilter %}{% generation %}x{% endgeneration %}', 'ABCx'],
    ['{% macro m(x) %}{{ x }}{% endmacro m %}{{ m(1) }}', '1'],
  ],
  whitespace: [
    ['a\n  {% if yes %}\n  b\n  {% endif %}\nc\n', 'a\n  b\nc'],
    ['a\n  {%- if yes %}\n  b\n  {%- endif -%}\n\nc {{- seven -}} \n d', 'a  bc7d'],
    ['  {%+ if yes %}x{% endif +%}\ny', '  x\ny'],
    ['a\r\n{# note #}\r\nb', 'a\nb'],
    ['{% raw %}{{ x }}{% endraw %} {{ "\\u00e9\\x41\\d" }}', '{{ x }} éA\\d'],
    ["{{ {'a': {'b': 2}}.a.b }} {{ '}}' }}", '2 }}'],
  ],
  dates: [["{{ strftime_now('%d %b %Y, %H:%M, %A %-d') }}", '05 Jan 2026, 14:07, Monday 5']],
}

describe.each(Object.entries(printed))('%s', (_name, cases) => {
  test.each(cases)('%s', (source, text) => {
    expect(render(source)).toBe(text)
  })
})

test.each([
  [
    "{{ raise_exception('roles must alternate') }}",
    /rejected the conversation: roles must alternate\. Change/,
  ],
  ['{{ missing.field() }}', /it calls field, which is not a function but undefined/],
  ["{{ 'a' + 1 }}", /'\+' does not work with str and int/],
  ['{{ missing() }}', /it calls missing, which is not a function/],
  ['{{ list | shuffle }}', /the filter 'shuffle', which is not supported/],
  ['{% if %}', /not valid Jinja/],
  ['{{ "a }}', /a quoted string is not closed/],
  ['{% for x in list %}', /it ends before a block does/],
  ['{{ 1 // 0 }}', /divides by zero/],
])('%s fails with a reason and advice', (source, message) => {
  expect(() => render(source)).toThrow(
    expect.objectContaining({ name: 'ModelError', problem: 'refused' }) as Error,
  )
  expect(() => render(source)).toThrow(message)
})
