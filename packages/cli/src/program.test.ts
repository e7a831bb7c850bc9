import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { familyOf, printCall, protocols } from '@toolglot/core'
import { startCommand } from '../test/start-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolglot-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'

const exampleOf = (id: string): string =>
  printCall(protocols[id]!, { name: 'get_weather', args: { city: 'Hanoi' } })

describe('wrong usage exits with 2 and gives advice', () => {
  test.each([
    [['parse', '--protocl', 'hermes'], "unknown option '--protocl'\n(Did you mean --protocol?)"],
    [['parse', '--protocol', 'hermse'], "got 'hermse': did you mean hermes?"],
    [['parse', '-p', 'qwen3'], 'did you mean hermes'],
    [['parse', '-p', 'mistal'], 'did you mean mistral or mistral-array?'],
    [['parse', '-p', 'zzzzzz'], 'toolglot protocols lists them'],
    [['parse', '-p', '__proto__'], "got '__proto__'"],
    [['prase'], "unknown command 'prase'\n(Did you mean parse?)"],
    [['parse', 'a', 'b'], 'too many arguments'],
    [['parse', '--finish', 'done'], 'Allowed choices are stop, stop-string, length, broken'],
    [['parse', '--batch', '--json'], "'--batch' cannot be used with option '--json'"],
    [['parse', '--batch', '--model', 'qwen3'], "'--batch' cannot be used with option '-m, --model"],
    [['parse', '-p', 'hermes', '-m', 'qwen3'], 'cannot be used with'],
    [['protocols', '-m', 'qwen3', '--template', 'a.jinja'], 'cannot be used with'],
    [['parse', '--batch'], 'expected requests, one JSON object per line'],
    [['parse', '--stream', '--explain'], 'cannot be used with'],
    [['parse', '--samples', 'reply.txt'], 'expected a file or --samples, got both'],
    [['protocols', '--jsn'], 'Did you mean --json?'],
  ])('%j', async (words, message) => {
    const { code, output, errors } = await startCommand(words)
    expect(errors).toContain(message)
    expect({ code, output }).toEqual({ code: 2, output: '' })
  })
})

describe('bad data exits with 1 and reports what was found', () => {
  test.each([
    [['parse', join(folder, 'none.txt')], 'no such file'],
    [['parse', folder], `cannot read '${folder}': it is not a regular file`],
    [['parse', '--batch', join(folder, 'none.jsonl')], 'no such file'],
    [['parse', file('empty.txt', '')], "expected a model's reply, got no text at all"],
    [['parse', '--stream', file('empty.txt', '')], 'got no text at all'],
    [
      ['parse', '-m', 'qwen9'],
      "got 'qwen9': the nearest are qwen3-coder, hermes; look at its chat template",
    ],
    [['protocols', '--model', 'claude-5'], "got 'claude-5': look at its chat template"],
    [['protocols', '--model', ''], "got ''"],
    [['protocols', '--template', join(folder, 'none.jinja')], 'no such file'],
    [
      ['protocols', '--template', file('plain.jinja', '{{ content }}')],
      'a chat template with known marks',
    ],
    [['parse', '--tools', join(folder, 'none.json')], 'no such file'],
    [['parse', '--tools', file('broken.json', '[{]')], 'got text that is not'],
    [['parse', '--tools', file('blank.json', ' ')], 'got an empty file'],
    [['parse', '--tools', file('number.json', '{"tools": 5}')], 'got the number 5'],
  ])('%j', async (words, message) => {
    const { code, output, errors } = await startCommand(words)
    expect(errors).toContain(message)
    expect({ code, output }).toEqual({ code: 1, output: '' })
  })

  test('nothing piped in', async () => {
    expect(await startCommand(['parse'], { input: '' })).toMatchObject({ code: 1 })
  })
})

describe('parse', () => {
  test('shows text, reasoning and calls', async () => {
    const { code, output } = await startCommand(['parse'], {
      input: `<think>\nHm.\n</think>\nLet me look.\n${call}`,
    })
    expect(code).toBe(0)
    expect(output).toMatch(/^reasoning +Hm\.$/m)
    expect(output).toMatch(/^text +Let me look\.$/m)
    expect(output).toMatch(/^call +get_weather {2}complete/m)
    expect(output).toContain('"city": "Hanoi"')
    expect(output).toMatch(/\n1 call\n$/)
  })

  test('--json prints the reply', async () => {
    const { output } = await startCommand(['parse', '--json'], { input: call })
    expect(JSON.parse(output)).toMatchObject({
      text: '',
      calls: [{ name: 'get_weather', args: { city: 'Hanoi' }, protocol: 'hermes' }],
      segments: [{ type: 'call', span: [0, call.length] }],
    })
  })

  test('--stream --json prints one event per line, from a file in small chunks', async () => {
    const { output } = await startCommand(['parse', '--stream', '--json', file('call.txt', call)])
    const events = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; delta?: string })
    const deltas = events.filter(({ type }) => type === 'call-delta').map(({ delta }) => delta)

    expect(events[0]).toMatchObject({ type: 'call-start', name: 'get_weather' })
    expect(JSON.parse(deltas.join(''))).toEqual({ city: 'Hanoi' })
    expect(deltas.length).toBeGreaterThan(1)
    expect(events.at(-1)).toMatchObject({ type: 'end', finish: 'stop' })
  })

  test('--stream shows each chunk next to its events', async () => {
    const { output } = await startCommand(['parse', '--stream', '-p', 'hermes'], {
      input: `Hi. ${call}`,
    })
    expect(output).toMatch(/^chunk +event\n/)
    expect(output).toMatch(/^Hi\. <tool_call>\S+… +text +Hi\./m)
    expect(output).toMatch(/^ +call-start +get_weather/m)
    expect(output).toMatch(/^ +call-end +get_weather {2}complete/m)
    expect(output).toMatch(/^\(end\) +end +stop/m)
  })

  test('--explain shows how far each protocol got', async () => {
    const { code, output } = await startCommand(['parse', '--explain'], {
      input: '<tool_call>\n{"name": ]}\n</tool_call>',
    })
    expect(code).toBe(0)
    for (const id of Object.keys(protocols)) expect(output).toContain(id)
    expect(output).toMatch(/expected {2}.+\n +got {7}.+/)
    expect(output).toMatch(/^ +\^/m)
  })

  test('--explain --json prints the explanations', async () => {
    const { output } = await startCommand(['parse', '--explain', '--json'], { input: call })
    const all = JSON.parse(output) as { protocol: string; calls: number }[]
    expect(all.map(({ protocol }) => protocol).sort()).toEqual(Object.keys(protocols).sort())
    expect(all.find(({ protocol }) => protocol === 'hermes')).toMatchObject({ calls: 1 })
  })

  test('--protocol is repeatable and takes lists', async () => {
    const words = ['parse', '--explain', '--json', '-p', 'ptk, vcp', '--protocol', 'hermes,ptk']
    const { output } = await startCommand(words, { input: 'Hello' })
    const all = JSON.parse(output) as { protocol: string }[]
    expect(all.map(({ protocol }) => protocol).sort()).toEqual(['hermes', 'ptk', 'vcp'])
  })

  test('--prefix, --starts-in-reasoning, --finish, --details, --no-repairs, --tools reach the parser', async () => {
    const json = async (words: string[], input: string): Promise<unknown> =>
      JSON.parse((await startCommand(['parse', '--json', ...words], { input })).output)
    const tools = file(
      'tools.json',
      '[{"name":"wait","parameters":{"type":"object","properties":{"days":{"type":"integer"}}}}]',
    )
    const wait = '<tool_call>\n{"name": "wait", "arguments": {"days": "3"}}\n</tool_call>'

    expect(await json(['--prefix', '<think>\\n'], 'Hm.\n</think>\nHi')).toMatchObject({
      reasoning: expect.stringContaining('Hm.') as string,
    })
    expect(await json(['-p', 'hermes', '--starts-in-reasoning'], 'Hm.</think>Hi')).toMatchObject({
      reasoning: expect.stringContaining('Hm.') as string,
    })
    expect(await json(['--finish', 'length'], call.slice(0, -2))).toMatchObject({
      calls: [{ complete: false }],
    })
    expect(await json(['--tools', tools], wait)).toMatchObject({ calls: [{ args: { days: 3 } }] })
    expect(await json([], call.replace('"}}', '",}}'))).toMatchObject({
      calls: [{ repairs: ['trailing-comma'] }],
    })
    expect(await json(['--details'], call.replace('"}}', '",}}'))).toMatchObject({
      calls: [{ details: [{ name: 'trailing-comma', was: ',', became: '' }] }],
    })
    expect(await json(['--no-repairs'], call.replace('"}}', '",}}'))).not.toMatchObject({
      calls: [{ complete: true }],
    })
  })

  test('warns about bytes that are not UTF-8, and shows them', async () => {
    const path = file('latin1.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]))
    const { code, output, errors } = await startCommand(['parse', path])
    expect(code).toBe(0)
    expect(output).toContain('caf\ufffd')
    expect(errors).toContain(`warning: expected UTF-8 text in '${path}', got bytes that are not`)
  })

  test('escapes everything in a reply that could control the terminal', async () => {
    const odd = '\x1b]0;title\x07\x1b[2J\x9b2J\u202eodd\r\x7f'
    const input = [
      odd,
      `<think>${odd}</think>`,
      `<tool_call>\n${JSON.stringify({ name: `a${odd}`, arguments: { [odd]: odd } })}\n</tool_call>`,
      `<tool_call>\n${odd}\n</tool_call>`,
      `<tool_response>${odd}</tool_response>`,
    ].join('\n')
    for (const words of [[], ['--json'], ['--stream'], ['--stream', '--json'], ['--explain']]) {
      const { output } = await startCommand(['parse', ...words], { input })
      expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
      expect(output).toContain(words.includes('--json') ? '\\u202e' : 'odd')
    }
  })
})

describe('samples', () => {
  test.each([[['parse']], [['parse', '--samples']]])('%j shows them', async (words) => {
    const { code, output } = await startCommand(words)
    expect(code).toBe(0)
    expect(output).toMatch(/^── hermes ── /m)
    expect(output).toMatch(/^│ <tool_call>/m)
    expect(output).toMatch(/^call +/m)
    expect(output).toMatch(/\nNext:\n(.+\n){3}$/)
  })

  test('the next steps use npx if started by npm', async () => {
    const env = { npm_lifecycle_event: 'start' }
    const { output } = await startCommand(['parse', '--samples'], { env })
    expect(output).toContain('\n  npx toolglot parse reply.txt')
  })

  test('can be limited to one protocol', async () => {
    const { output } = await startCommand(['parse', '--samples', '-p', 'hermes'])
    expect(output).toMatch(/^── hermes ── /)
    expect(output).not.toMatch(/^── mistral ──/m)
  })
})

describe('protocols', () => {
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
    const template =
      "{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}[TOOL_RESULTS][/TOOL_RESULTS]"
    const config = JSON.stringify({ chat_template: template })
    const named = JSON.stringify({ chat_template: [{ name: 'tool_use', template }] })
    const paths = [template, config, named].map((text, i) => file(`${i}.jinja`, text))
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
})

describe('colors', () => {
  const painted = { test: (text: string) => text.includes('\x1b[') }

  test.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ CI: 'true' }, false],
  ])('%j', async (env, expected) => {
    const { output } = await startCommand(['parse'], { input: call, env })
    expect(painted.test(output)).toBe(expected)
    const help = await startCommand(['--help'], { env })
    expect(painted.test(help.output)).toBe(expected)
  })
})

test('--version and --help', async () => {
  expect(await startCommand(['--version'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  })
  expect(await startCommand(['parse', '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('toolglot parse reply.txt') as string,
  })
})
