import { expect, test } from 'vitest'
import { ModelError } from '../model-error.ts'
import { readTemplateFile } from './template-file.ts'

test('reads a tokenizer_config.json with one template', () => {
  const text = JSON.stringify({
    chat_template: 'T',
    bos_token: '<s>',
    eos_token: { content: '</s>' },
  })
  expect(readTemplateFile(text, 'a')).toEqual({
    chatTemplate: 'T',
    bosToken: '<s>',
    eosToken: '</s>',
  })
})

test('reads a list of named templates', () => {
  const list = [
    { name: 'tool_use', template: 'U' },
    { name: 'default', template: 'D' },
    1,
    { name: 'x' },
  ]
  expect(readTemplateFile(JSON.stringify({ chat_template: list }), 'a')).toEqual({
    chatTemplate: 'D',
    chatTemplates: { tool_use: 'U', default: 'D' },
  })
})

test('reads a file that is itself the template, even if it starts with a brace', () => {
  expect(readTemplateFile('{{ bos_token }}x', 'a')).toEqual({ chatTemplate: '{{ bos_token }}x' })
})

test.each(['', '{}', '{"chat_template": 5}', '{"chat_template": []}', 'x'.repeat(300_000)])(
  '%.20s has no template',
  (text) => {
    expect(() => readTemplateFile(text, 'a.json')).toThrow(ModelError)
    expect(() => readTemplateFile(text, 'a.json')).toThrow(
      /No chat template in a\.json: .* Use a tokenizer_config/,
    )
  },
)
