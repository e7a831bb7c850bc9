import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ModelError } from '../model-error.ts'
import { createPromptRenderer } from './prompt-renderer.ts'
import { lacks } from '../../../../../tests/helpers/abilities.ts'

test.each([
  ['notes', 'hello'],
  ['nothing', ''],
  ['only the messages after the first', '{% for m in messages[1:] %}{{ m.content }}{% endfor %}'],
  ['roles only', '{% for m in messages %}{{ m.role }}{% endfor %}'],
])('a template that prints no messages is rejected: %s', (_name, chatTemplate) => {
  const prepare = (): unknown => createPromptRenderer({ chatTemplate })
  expect(prepare).toThrow(ModelError)
  expect(prepare).toThrow(/prints no messages: is it a chat template\?/)
})

test.each([
  ['texts', '{% for m in messages %}{{ m.content }}{% endfor %}'],
  ['parts', "{% for m in messages %}{{ m.content[0]['text'] + '' }}{% endfor %}"],
])('a template that prints %s is accepted', (_name, chatTemplate) => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ] as const
  expect(createPromptRenderer({ chatTemplate }).render({ messages }).prompt).toContain('Hello')
})

test('an invalid template fails when it is rendered', () => {
  const renderer = createPromptRenderer({ chatTemplate: "{{ raise_exception('no') }}" })
  const messages = [{ role: 'user', content: 'Hello' }] as const
  expect(() => renderer.render({ messages })).toThrow(/rejected the conversation: no\./)
})

const templates = new URL('../../../../../../shared/vectors/templates/', import.meta.url)

describe.skipIf(await lacks('recorded data'))('templates of models', () => {
  test('all print messages', () => {
    for (const name of readdirSync(templates)) {
      const chatTemplate = readFileSync(new URL(name, templates), 'utf8')
      expect(() => createPromptRenderer({ chatTemplate }), name).not.toThrow()
    }
  })
})
