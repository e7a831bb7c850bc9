import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { protocols } from '@toolglot/core'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand } from '../../test/start-command.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'

/** The path of a new file. */
const fileOf = (content: string | Uint8Array): string => join(folderOf({ file: content }), 'file')

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
  const { output } = await startCommand(['parse', '--stream', '--json', fileOf(call)])
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

test('accepts --protocol repeatedly and with lists', async () => {
  const words = ['parse', '--explain', '--json', '-p', 'ptk, vcp', '--protocol', 'hermes,ptk']
  const { output } = await startCommand(words, { input: 'Hello' })
  const all = JSON.parse(output) as { protocol: string }[]
  expect(all.map(({ protocol }) => protocol).sort()).toEqual(['hermes', 'ptk', 'vcp'])
})

test('passes --prefix, --starts-in-reasoning, --finish, --details, --no-repairs and --tools to the parser', async () => {
  const json = async (words: string[], input: string): Promise<unknown> =>
    JSON.parse((await startCommand(['parse', '--json', ...words], { input })).output)
  const tools = fileOf(
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

test('warns about invalid UTF-8, and shows the text', async () => {
  const path = fileOf(Buffer.from([0x63, 0x61, 0x66, 0xe9]))
  const { code, output, errors } = await startCommand(['parse', path])
  expect(code).toBe(0)
  expect(output).toContain('caf\ufffd')
  expect(errors).toContain(`warning: '${path}' contains invalid bytes instead of UTF-8 text`)
})

test('escapes all characters in a reply that could control the terminal', async () => {
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

describe('samples', () => {
  test.each([[['parse']], [['parse', '--samples']]])('are shown by %j', async (words) => {
    const { code, output } = await startCommand(words)
    expect(code).toBe(0)
    expect(output).toMatch(/^── hermes ── /m)
    expect(output).toMatch(/^│ <tool_call>/m)
    expect(output).toMatch(/^call +/m)
    expect(output).toMatch(/\nNext:\n(.+\n){3}$/)
  })

  test('are followed by next steps with npx if started by npm', async () => {
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

describe('wrong usage exits with 2 and gives advice', () => {
  test.each([
    [['--protocol', 'hermse'], "Unknown protocol 'hermse'. Did you mean hermes?"],
    [['-p', 'qwen3'], 'Did you mean hermes'],
    [['-p', 'mistal'], 'Did you mean mistral or mistral-array?'],
    [['-p', 'zzzzzz'], 'List all protocols with: toolglot protocols'],
    [['-p', '__proto__'], "Unknown protocol '__proto__'"],
    [['a', 'b'], 'too many arguments'],
    [['--finish', 'done'], 'Allowed choices are stop, stop-string, length, broken'],
    [['--batch', '--json'], "'--batch' cannot be used with option '--json'"],
    [['--batch', '--model', 'qwen3'], "'--batch' cannot be used with option '-m, --model"],
    [['-p', 'hermes', '-m', 'qwen3'], 'cannot be used with'],
    [['--batch'], 'No requests. Pipe them in, one JSON object per line'],
    [['--stream', '--explain'], 'cannot be used with'],
    [['--samples', 'reply.txt'], '--samples takes no file'],
  ])('%j', async (words, message) => {
    const { code, output, errors } = await startCommand(['parse', ...words])
    expect(errors).toContain(message)
    expect({ code, output }).toEqual({ code: 2, output: '' })
  })
})

describe('bad data exits with 1 and a report', () => {
  test.each<[words: string[], content: string | undefined, message: string]>([
    [[], undefined, 'No such file'],
    [['--batch'], undefined, 'No such file'],
    [['--tools'], undefined, 'No such file'],
    [[], '', 'No reply. Choose a file'],
    [['--stream'], '', 'No reply'],
    [['--tools'], '[{]', 'is not JSON'],
    [['--tools'], ' ', 'is empty'],
    [['--tools'], '{"tools": 5}', 'must be a list of tools, not the number 5'],
  ])('%j with a file that contains %j', async (words, content, message) => {
    const path = content === undefined ? join(folderOf(), 'none') : fileOf(content)
    const { code, output, errors } = await startCommand(['parse', ...words, path])
    expect(errors).toContain(message)
    expect({ code, output }).toEqual({ code: 1, output: '' })
  })

  test('a folder', async () => {
    const folder = folderOf()
    const { code, errors } = await startCommand(['parse', folder])
    expect(errors).toContain(`Cannot read '${folder}': it is not a regular file`)
    expect(code).toBe(1)
  })

  test('a model with an unknown protocol', async () => {
    const { code, errors } = await startCommand(['parse', '-m', 'qwen9'])
    expect(errors).toContain(
      "The protocol of 'qwen9' is unknown. The nearest are qwen3-coder, hermes. Look at its chat template",
    )
    expect(code).toBe(1)
  })

  test('no piped input', async () => {
    expect(await startCommand(['parse'], { input: '' })).toMatchObject({ code: 1 })
  })
})
