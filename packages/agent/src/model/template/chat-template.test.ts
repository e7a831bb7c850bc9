import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createChatTemplate } from './chat-template.ts'
import type { ChatMessageInput } from './chat-variables.ts'
import { lacks } from '../../../../../tests/helpers/abilities.ts'

const look = { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } }
const call = (id: string, key: string) => ({ id, name: 'look', args: { key } })
const turn: ChatMessageInput[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is a and b?' },
  {
    role: 'assistant',
    content: '',
    reasoning: 'Two.',
    calls: [call('one', 'a'), call('two', 'b')],
  },
  { role: 'tool', content: '1', call: 'one' },
  { role: 'tool', content: '2', call: 'two' },
]

/** Prints one message per line, with calls as JSON. */
const simple = `{% for tool in tools or [] %}({{ tool.function.name }}){% endfor %}
{% for m in messages %}
{{ m.role }}: {{ m.reasoning_content }}{{ m.content }}{% for c in m.tool_calls or [] %}[{{ c.id }} {{ c.function.arguments | tojson }}]{% endfor %}

{% endfor %}
assistant:`

function render(source: string, messages = turn): string {
  return createChatTemplate(source).render({ messages, tools: [look] })
}

test('detects a template that prints all kinds of messages', () => {
  expect(render(simple)).toBe(
    [
      '(look)system: Be brief.',
      'user: What is a and b?',
      'assistant: Two.[one {"key": "a"}][two {"key": "b"}]',
      'tool: 1',
      'tool: 2',
      'assistant:',
    ].join('\n'),
  )
  const { shape } = createChatTemplate(simple)
  expect(shape).toMatchObject({ tools: true, system: true, laterSystem: true, parallel: 'prints' })
})

test('arguments are JSON text for a template that adds them to text', () => {
  const source = simple.replace(
    'c.function.arguments | tojson',
    "c.id + ' ' + c.function.arguments",
  )
  expect(render(source)).toContain('[one one {"key":"a"}]')
})

test('arguments are JSON text for a template that prints them unchanged', () => {
  const source = simple.replace('c.function.arguments | tojson', 'c.function.arguments')
  expect(render(source)).toContain('[one {"key":"a"}]')
})

test('system messages become part of the next user message if the template rejects them', () => {
  const source = `{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}${simple}`
  expect(render(source)).toContain('user: Be brief.\nWhat is a and b?')
})

test('each call gets its own message if the template rejects several', () => {
  const source = `{% for m in messages %}{% if (m.tool_calls or []) | length > 1 %}{{ raise_exception('one') }}{% endif %}{% endfor %}${simple}`
  expect(render(source)).toContain(
    'assistant: Two.[one {"key": "a"}]\ntool: 1\nassistant: [two {"key": "b"}]\ntool: 2\n',
  )
})

test('ids are shortened to nine characters if the template requires it', () => {
  const source = `{% for m in messages %}{% for c in m.tool_calls or [] %}{% if c.id | length != 9 %}{{ raise_exception('id') }}{% endif %}{% endfor %}{% endfor %}${simple}`
  expect(render(source)).toContain('[call00001 {"key": "a"}][call00002 {"key": "b"}]')
})

test('user messages are merged if the template requires alternating roles', () => {
  const source = `{% for m in messages %}{% if loop.previtem and loop.previtem.role == m.role and m.role == 'user' %}{{ raise_exception('alternate') }}{% endif %}{% endfor %}${simple}`
  const messages: ChatMessageInput[] = [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
  ]
  expect(render(source, messages)).toContain('user: a\n\nb\n')
})

test('sends content as a list of parts if the template accepts only lists', () => {
  const source = simple.replace(
    '{{ m.content }}',
    "{% for part in m.content %}{{ part['text'] + '.' }}{% endfor %}",
  )
  expect(render(source)).toContain('user: What is a and b?.')
})

test('reasoning goes where the template reads it', () => {
  expect(render(simple.replace('m.reasoning_content', 'm.thinking'))).toContain(
    'assistant: Two.[one',
  )
  const parts = simple.replace(
    '{{ m.reasoning_content }}{{ m.content }}',
    '{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}<{{ p.thinking or p.text }}>{% endfor %}{% endif %}',
  )
  expect(render(parts)).toContain('assistant: <Two.>[one')
})

test('results become responses in the message with the calls if the template has those', () => {
  const source = simple.replace(
    '{{ m.content }}',
    "{{ m.content }}{% for r in m['tool_responses'] or [] %}={{ r.name }}:{{ r.response }}{% endfor %}",
  )
  const messages: ChatMessageInput[] = [...turn, { role: 'assistant', content: 'Done.' }]
  expect(render(source, messages)).toContain('assistant: Two.Done.=look:1=look:2[one')
})

test.each([
  ['prints no calls', simple.replace('m.tool_calls or []', '[]')],
  ['describes no tools', simple.replace('tools or []', '[]')],
  ['is broken', '{% if %}'],
  ['never ends', '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'],
])('a template that %s does not describe tools', (_name, source) => {
  expect(createChatTemplate(source).shape.tools).toBe(false)
})

const vectors = new URL('../../../../../../shared/vectors/', import.meta.url)

describe.skipIf(await lacks('recorded data'))('prompts rendered by other programs', () => {
  test('match in at least 95 % of cases, apart from dates', () => {
    interface Scenario {
      readonly messages: readonly {
        readonly role: ChatMessageInput['role']
        readonly content: string
        readonly reasoning?: string
        readonly callId?: string
        readonly calls?: readonly {
          id: string
          name: string
          arguments: Record<string, unknown>
        }[]
      }[]
      readonly thinking: boolean
    }
    const read = (name: string): string => readFileSync(new URL(name, vectors), 'utf8')
    const { tools, scenarios } = JSON.parse(read('scenarios.json')) as {
      tools: { name: string }[]
      scenarios: Record<string, Scenario>
    }
    const templates = new Map<string, ReturnType<typeof createChatTemplate>>()
    const masked = (text: string): string =>
      text.replaceAll(/\d{4}-\d\d-\d\d|\d\d [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{2} \d\d \d{4}/g, 'DATE')
    const rows = read('prompts.jsonl').trim().split('\n')
    const same = rows.filter((row) => {
      const {
        template: name,
        scenario,
        prompt,
      } = JSON.parse(row) as Record<'template' | 'scenario' | 'prompt', string>
      const template = templates.get(name) ?? createChatTemplate(read(`templates/${name}`))
      templates.set(name, template)
      const { messages, thinking } = scenarios[scenario]!
      const input = messages.map(({ role, content, reasoning, calls, callId }) => ({
        role,
        content,
        ...(reasoning !== undefined && { reasoning }),
        ...(calls && { calls: calls.map((each) => ({ ...each, args: each.arguments })) }),
        ...(callId !== undefined && { call: callId }),
      }))
      try {
        return masked(template.render({ messages: input, tools, thinking })) === masked(prompt)
      } catch {
        // The template raises an exception.
        return false
      }
    })
    expect(same.length / rows.length).toBeGreaterThanOrEqual(0.95)
  })
})
