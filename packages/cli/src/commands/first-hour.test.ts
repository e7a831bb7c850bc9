import { describe, expect, test } from 'vitest'
import { answer, modelServer } from '../../../agent/test/model-server.ts'
import type { FakePrompt, FakeServer } from '../../../agent/test/fixtures/servers/fake-server.ts'
import { fakeLlamaCpp } from '../../../agent/test/fixtures/servers/llama-cpp.ts'
import { fakeOllama } from '../../../agent/test/fixtures/servers/ollama.ts'
import { household } from '../../test/household.ts'
import { openTerminal } from '../../test/pseudo-terminal.ts'
import { calling, talkingServer } from '../../test/talking-server.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

const models = [
  { name: 'qwen3:8b', trained: 40_960, loaded: 4096 },
  { name: 'tiny', trained: 512 },
]

/** Reads a file, then answers. */
function reader({ text }: FakePrompt): string {
  if (!text.includes('<tools>')) return 'I have no tools.'
  return text.includes('<tool_response>')
    ? 'It says hello.'
    : calling('Read', { file_path: 'note.txt' })
}

async function ollamaHousehold(reply = reader): Promise<{
  readonly server: FakeServer
  readonly run: (...words: string[]) => ReturnType<ReturnType<typeof household>['start']>
  readonly chats: () => readonly Record<string, unknown>[]
}> {
  const server = await fakeOllama(models, reply)
  const { start } = household({ 'note.txt': 'hello' })
  return {
    server,
    run: (...words) => start(words, { env: { OLLAMA_HOST: server.url } }),
    chats: () => server.requests.filter(({ path }) => path === '/api/chat').map(({ body }) => body),
  }
}

describe('options', () => {
  test('pass a bare name, a context and a temperature to Ollama', async () => {
    const { run, chats } = await ollamaHousehold()
    const words = [
      '-m',
      'qwen3:8b',
      '--context',
      '16k',
      '--temperature',
      '0.2',
      'What does it say?',
    ]
    const { output, code } = await run('run', ...words)
    expect({ output, code }).toEqual({ output: 'It says hello.\n', code: 0 })
    for (const { options, tools } of chats()) {
      expect(options).toMatchObject({ num_ctx: 16_384, temperature: 0.2 })
      expect(tools).toBe(undefined)
    }
  })

  longTest('can also be set in the settings', async () => {
    const { run, chats } = await ollamaHousehold()
    for (const [key, value] of [
      ['context', '2048'],
      ['temperature', '0'],
      ['thinking', 'false'],
      ['keepAlive', '1h'],
    ] as const)
      await run('config', 'set', key, value)
    await run('run', '-m', 'ollama/qwen3:8b', 'What does it say?')
    expect(chats()[0]).toMatchObject({
      think: false,
      keep_alive: '1h',
      options: { num_ctx: 2048, temperature: 0 },
    })
  })

  const toolsIn = ({ messages }: Record<string, unknown>): string[] => {
    const [{ content }] = messages as [{ content: string }]
    return [...content.matchAll(/"name": "(\w+)"/g)].map(([, name]) => name!)
  }

  test('offer only the chosen tools, in their order; or none', async () => {
    const { run, chats } = await ollamaHousehold()
    await run('run', '-m', 'qwen3:8b', '--tools', 'Grep,read_file', 'What does it say?')
    expect(toolsIn(chats()[0]!)).toEqual(['Grep', 'Read'])
    const { output } = await run('run', '-m', 'qwen3:8b', '--no-tools', 'What does it say?')
    expect(output).toBe('I have no tools.\n')
    const wrong = await run('run', '-m', 'qwen3:8b', '--tools', 'Raed', 'Hi')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.errors).toContain('Unknown tool "Raed". Did you mean Read?')
  })

  test.each([
    [['--temperature', 'hot'], 'It must be a number from 0 to 2.'],
    [['--temperature', '2.5'], 'It must be a number from 0 to 2.'],
    [['--context', '12'], 'at least 512 tokens'],
    [['--context', 'large'], 'at least 512 tokens'],
    [['--tools', ','], 'Use names of tools, or --no-tools.'],
  ])('refuse %j', async (words, message) => {
    const { code, errors } = await household().start(['run', ...words, 'Hi'])
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })

  test('refuse a wrong name before any request to a model', async () => {
    const { run, chats } = await ollamaHousehold()
    const full = await run('run', '-m', 'ollama/qwen3:9b', 'Hi')
    expect(full.errors).toContain('Ollama has no model qwen3:9b. Did you mean qwen3:8b?')
    for (const name of ['qwen3:9b', 'qwen3', 'QWEN']) {
      const bare = await run('run', '-m', name, 'Hi')
      expect(bare.errors).toContain('Did you mean ollama/qwen3:8b?')
    }
    expect(chats()).toEqual([])
  })

  test('never select a paid provider by a name that a local server has', async () => {
    const name = 'openai/gpt-oss-20b'
    const own = await fakeOllama([{ name, trained: 40_960 }], () => 'From here.')
    const paid = await modelServer(answer(200, {}))
    const { start } = household()
    const env = {
      OLLAMA_HOST: own.url,
      OPENAI_API_KEY: 'sk-not-a-key',
      OPENAI_BASE_URL: paid.url,
    }
    expect((await start(['run', '-m', name, 'Hi'], { env })).output).toBe('From here.\n')
    const used = await start(['models', 'use', name], { env })
    expect(used.output).toContain(`The default model is now ollama/${name}`)
    const named = { ...env, TOOLGLOT_MODEL: name }
    expect((await start(['run', 'Hi'], { env: named })).output).toBe('From here.\n')
    expect(paid.requests).toEqual([])
  })

  longTest('resume a run with another model only with consent', async () => {
    const { run } = await ollamaHousehold()
    await run('run', '-m', 'qwen3:8b', 'What does it say?')
    const other = ['run', '--resume', 'last', '-m', 'script', 'hello']
    expect((await run(...other)).errors).toMatch(
      /denied: The setup of the run has changed: the model was .* To continue anyway, add --accept-changes\.\n/,
    )
    expect(await run(...other, '--accept-changes')).toMatchObject({ code: 0 })
  })
})

test('are part of the command that resumes a run', async () => {
  const server = await modelServer(answer(400, { error: 'No.' }))
  const { start, cwd } = household({ 'note.txt': 'hello', 's.json': '{}' })
  const said = [
    '--model',
    `${server.url}/v1#a`,
    '--protocol',
    'hermes',
    '--cwd',
    cwd,
    '--context',
    '8192',
    '--temperature',
    '0.2',
    '--max-turns',
    '7',
    '--mode',
    'plan',
    '--allow',
    'Bash(ls:*)',
    '--deny',
    'Read(x y)',
    '--settings',
    's.json',
    '--tools',
    'Read,Grep',
    '--no-interactive',
  ]
  const { errors } = await start(['run', ...said, '--system', 'Be kind.', 'Hi'])
  const [, printed] = /To resume: toolglot (run --resume run-\S+ .*)\n/.exec(errors)!
  const words = [...printed!.matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replaceAll("'", ''))
  expect(words.slice(3)).toEqual(said)
  // The setup has not changed.
  expect((await start(words)).errors).not.toContain('setup')
  const none = await start(['run', '--model', `${server.url}/v1#a`, '--no-tools', 'Hi'])
  expect(none.errors).toMatch(/To resume: .* --no-tools\n/)
})

describe('a prompt that does not fit', () => {
  test('is reported before any request, with the fix for the server', async () => {
    const { run, chats } = await ollamaHousehold()
    const long = 'word '.repeat(5000)
    const { code, errors } = await run('run', '-m', 'qwen3:8b', long)
    expect(code).toBe(1)
    expect(errors).toMatch(
      /context overflow: The prompt has about \d+ tokens, of which .* has 4096: it was not sent\. Ask for a larger context with --context 8192/,
    )
    expect(chats()).toEqual([])
  })

  test('is reported for a server that was started with too small a context', async () => {
    const server = await fakeLlamaCpp({ ...models[0]!, loaded: 4096 }, () => 'Hi')
    const { start } = household()
    const model = `${server.url}/v1#qwen3:8b`
    // The context size of a model at a URL is unknown, so only the server refuses.
    const { errors } = await start(['run', '-m', model, 'word '.repeat(5000)])
    expect(errors).toMatch(/do not fit into the context window/)
  })

  longTest('shortens instructions in files for a small context', async () => {
    const server = await fakeOllama(models, reader)
    const { start } = household({ 'note.txt': 'hello', 'AGENTS.md': 'Be kind. '.repeat(2000) })
    const env = { OLLAMA_HOST: server.url }
    await start(['trust', '--yes'], { env })
    const { errors, code } = await start(['run', '-m', 'qwen3:8b', 'What does it say?'], { env })
    expect(code).toBe(0)
    expect(errors).toMatch(/AGENTS\.md has 18000 characters: only the first 4096 are sent/)
  })
})

describe('errors', () => {
  test('are not retried for a web page', async () => {
    const server = await modelServer(answer(200, '<html><title>Router</title></html>'))
    const { start } = household()
    const { errors } = await start(['run', '-m', `${server.url}/v1#a`, 'Hi'])
    expect(errors).toContain('sent a web page instead of a reply, titled "Router". Check the URL.')
    expect(server.requests).toHaveLength(1)
  })

  test('are not retried if a server requests a pause of an hour', async () => {
    const server = await modelServer(answer(429, {}, { 'retry-after': '3600' }))
    const { start } = household()
    const { errors } = await start(['run', '-m', `${server.url}/v1#a`, 'Hi'])
    expect(errors).toContain('It asks to wait 1 h.')
    expect(server.requests).toHaveLength(1)
  })

  test('are printed once, however often the request is repeated', async () => {
    const busy = answer(503, {}, { 'retry-after-ms': '1' })
    const server = await talkingServer(busy, busy, busy, 'Here I am.')
    const { start } = household()
    const { errors, output } = await start(['run', '-m', server.model, 'Hi'])
    expect(output).toBe('Here I am.\n')
    expect(errors.match(/responded with 503/g)).toHaveLength(1)
  })

  test('include a limit for a piped prompt', async () => {
    const { code, errors } = await household().start(['run', '-m', 'script'], {
      input: 'a'.repeat(5 << 20),
    })
    expect(code).toBe(1)
    expect(errors).toContain('The prompt on standard input is larger than 4 MB')
  })

  longTest('include a limit for each prompt piped into a chat', async () => {
    const input = `hello\n${'a'.repeat(5 << 20)}\n`
    const { code, errors } = await household().start(['chat', '-m', 'script'], { input })
    expect(code).toBe(1)
    expect(errors).toContain('The prompt on standard input is larger than 4 MB')
  })

  longTest('a long prompt does not slow down the demo script', async () => {
    const input = 'a'.repeat(2 << 20)
    const { code } = await household().start(['run', '-m', 'script', 'Hi'], { input })
    expect(code).toBe(0)
  })

  test.each([
    [500, '<html><title>Oops</title></html>', 'it is not the API of a model. Check the URL.', 1],
    [
      500,
      { error: 'model requires more system memory (11.6 GiB) than is available (7.1 GiB)' },
      'the model does not fit into memory: use a smaller model, or a smaller context.',
      1,
    ],
    [503, '<html><title>Busy</title></html>', 'It sent a web page, titled "Busy".', 5],
  ])('%i with %j', async (status, body, message, times) => {
    const server = await modelServer(answer(status, body, { 'retry-after-ms': '1' }))
    const { errors } = await household().start(['run', '-m', `${server.url}/v1#a`, 'Hi'])
    expect(errors).toContain(message)
    expect(errors).not.toContain('<')
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(times)
  })

  test('reads piped arguments', async () => {
    const { start } = household({ 'note.txt': 'hello' })
    const input = '{"file_path": "note.txt"}'
    expect((await start(['exec', 'Read'], { input })).output).toContain('hello')
    expect((await start(['permit', 'Read'], { input })).output).toMatch(/^allow/)
  })

  test('accepts --cwd before the command', async () => {
    const { start, cwd } = household({ 'package.json': '{"version": "1.2.3"}' })
    const words = ['run', '-m', 'script', 'What version is in package.json?']
    for (const flag of [['--cwd', cwd], [`--cwd=${cwd}`]])
      expect((await start([...flag, ...words], { cwd: '/' })).output).toContain('1.2.3')
  })
})

describe.skipIf(await lacks('script'))('in a terminal', () => {
  test('a user picks a model by its number, and sees the used context', async () => {
    const { server } = await ollamaHousehold()
    const { cwd, home } = household({ 'note.txt': 'hello' })
    const env = { HOME: home, OLLAMA_HOST: server.url, NO_COLOR: '1' }
    const use = openTerminal(['models', 'use'], { cwd, env })
    await use.until(/1 {2}ollama\/qwen3:8b\s+2 {2}ollama\/tiny\s+Which one\? \[1-2\] /)
    use.type('1\r')
    await use.until(/The default model is now ollama\/qwen3:8b/)
    expect(await use.ended).toBe(0)

    const chat = openTerminal(['chat'], { cwd, env })
    await chat.until(/qwen3:8b · hermes · context 0 of 4096/)
    chat.type('What does it say?\r')
    await chat.until(/It says hello\.[^]*context \d{3,4} of 4096/)
    chat.type('/model\r')
    await chat.until(/Which one\? \[1-2\] /)
    chat.type('2\r')
    await chat.until(/tiny \(Ollama\)/)
    chat.type('\x04')
    expect(await chat.ended).toBe(0)

    const resume = openTerminal(['chat', '--resume'], { cwd, env })
    await resume.until(
      /1 {2}What does it say\? {2}\(run-\w+, (now|\d+ min)\)\s+Which one\? \[1-1\] /,
    )
    resume.type('1\r')
    await resume.until(/It says hello\./)
    resume.type('\x04')
    await resume.ended
  })

  longTest('retries share one line, which disappears when the answer arrives', async () => {
    const busy = answer(503, {}, { 'retry-after': '1' })
    const server = await talkingServer(busy, busy, 'Here I am.')
    const { cwd, home } = household()
    const terminal = openTerminal(['run', '-m', server.model, 'Hi'], {
      cwd,
      env: { HOME: home, NO_COLOR: '1' },
    })
    await terminal.until(/Retrying in 1 s: the server/)
    await terminal.until(/Here I am\./)
    expect(await terminal.ended).toBe(0)
    const shown = terminal.raw().match(/[^\r\n]*Retrying in 1 s/g)!
    expect(shown.length).toBeGreaterThanOrEqual(2)
    // Each message first clears its line and has no line break after it.
    expect(terminal.raw()).not.toMatch(/Retrying in 1 s[^\r\n]*\r?\n/)
    expect(terminal.text()).not.toContain('warning:')
  })
})
