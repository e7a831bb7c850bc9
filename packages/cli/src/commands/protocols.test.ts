import { join } from 'node:path'
import { expect, test } from 'vitest'
import { familyOf, printCall, protocols } from '@toolglot/core'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand } from '../../test/start-command.ts'

const exampleOf = (id: string): string =>
  printCall(protocols[id]!, { name: 'get_weather', args: { city: 'Hanoi' } })

/** The path of a new file. */
const fileOf = (content: string): string => join(folderOf({ file: content }), 'file')

test('are listed with an example', async () => {
  const { code, output } = await startCommand(['protocols'])
  expect(code).toBe(0)
  for (const protocol of Object.values(protocols))
    expect(output).toContain(`${protocol.id}  ${familyOf(protocol).about}`)
})

test.each([
  ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3-coder'],
  ['qwen3:8b', 'hermes'],
  ['hf.co/bartowski/openai_gpt-oss-20b-GGUF:Q4_K_M', 'harmony'],
  ['./models/Llama-3.2-3B-Instruct-Q4_K_M.gguf', 'llama3-json'],
])('--model %s is %s', async (model, id) => {
  const { code, output } = await startCommand(['protocols', '--model', model])
  expect(code).toBe(0)
  expect(output).toContain(`${id}  ${familyOf(protocols[id]!).about}\n`)
  expect(output.split('\n\n')).toHaveLength(1)
  const { calls } = JSON.parse(
    (await startCommand(['parse', '--json', '-m', model], { input: exampleOf(id) })).output,
  ) as { calls: unknown }
  expect(calls).toMatchObject([{ name: 'get_weather', protocol: id }])
})

test('--template reads a file, piped input, or tokenizer_config.json', async () => {
  const template = "{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}[TOOL_RESULTS][/TOOL_RESULTS]"
  const config = JSON.stringify({ chat_template: template })
  const named = JSON.stringify({ chat_template: [{ name: 'tool_use', template }] })
  const paths = [template, config, named].map((text) => fileOf(text))
  for (const words of [...paths.map((path) => [path]), ['-']]) {
    const input = words[0] === '-' ? { input: template } : {}
    const { code, output } = await startCommand(
      ['protocols', '--json', '--template', ...words],
      input,
    )
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject([{ id: 'mistral' }])
  }
})

test('--json', async () => {
  const { output } = await startCommand(['protocols', '--json'])
  const all = JSON.parse(output) as Record<string, unknown>[]
  expect(all.map(({ id }) => id)).toEqual(Object.keys(protocols))
  expect(all.find(({ id }) => id === 'hermes')).toEqual({
    id: 'hermes',
    about: familyOf('hermes').about,
    models: familyOf('hermes').models?.map(({ source }) => source),
    example: expect.stringContaining('get_weather') as string,
  })
})

test.each([
  [['-m', 'qwen3', '--template', 'a.jinja'], 2, 'cannot be used with'],
  [['--jsn'], 2, 'Did you mean --json?'],
  [['--model', 'claude-5'], 1, "The protocol of 'claude-5' is unknown. Look at its chat template"],
  [['--model', ''], 1, "The protocol of '' is unknown"],
  [['--template', 'none.jinja'], 1, 'No such file'],
])('refuses %j', async (words, code, message) => {
  const refused = await startCommand(['protocols', ...words])
  expect(refused.errors).toContain(message)
  expect(refused).toMatchObject({ code, output: '' })
})

test('refuses a chat template without known marks', async () => {
  const { code, errors } = await startCommand(['protocols', '--template', fileOf('{{ content }}')])
  expect(errors).toContain('has no known marks')
  expect(code).toBe(1)
})
