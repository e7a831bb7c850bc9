import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { arrow } from '../../test/arrow.ts'
import { runInShell } from '../../test/spawn-command.ts'
import { startCommand } from '../../test/start-command.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server with Ollama's API that sends this reply. */
async function ollamaServer(
  said: string,
  heard: { body?: string; key?: string } = {},
): Promise<string> {
  return serve((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const json = (value: object): void => void response.end(JSON.stringify(value))
      if (request.url === '/api/tags')
        return json({ models: [{ name: 'qwen3:8b' }, { name: 'odd' }] })
      if (request.url === '/api/ps') return json({ models: [] })
      if (request.url === '/api/show') return json({ parameters: 'num_ctx 4096' })
      if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
      heard.body = body
      if (request.headers.authorization) heard.key = request.headers.authorization
      const event = (delta: object, finish: string | null = null): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      response.end(`${event({ content: said })}${event({}, 'stop')}data: [DONE]\n\n`)
    })
  })
}

function home(settings?: object): { HOME: string; file: string } {
  const HOME = mkdtempSync(join(tmpdir(), 'toolglot-'))
  onTestFinished(() => rmSync(HOME, { recursive: true, force: true }))
  const file = join(HOME, '.config/toolglot/settings.json')
  if (settings) {
    mkdirSync(join(HOME, '.config/toolglot'), { recursive: true })
    writeFileSync(file, JSON.stringify(settings))
  }
  return { HOME, file }
}

describe('models', () => {
  test('lists servers that run, those that do not, and the model in use', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(''), OPENAI_API_KEY: 'hush-hush' }
    const { code, output } = await startCommand(['models'], { env })
    expect(code).toBe(0)
    expect(output).toMatch(/^ {2}ollama\/qwen3:8b +hermes +4096 tokens$/m)
    expect(output).toMatch(/^ {2}ollama\/odd +unknown protocol +4096 tokens$/m)
    expect(output).toMatch(/^ {2}openai\/\S+ +OPENAI_API_KEY$/m)
    expect(output).toContain(`Would use ollama/qwen3:8b: Ollama is running at ${env.OLLAMA_HOST}`)
    expect(output).not.toContain('hush')
  })

  test('--json', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(''), TOOLGLOT_MODEL: 'vllm/a' }
    const { output } = await startCommand(['models', '--json'], { env })
    expect(JSON.parse(output)).toMatchObject({
      choice: { reference: 'vllm/a', why: 'TOOLGLOT_MODEL selects it' },
      named: 'vllm/a',
      servers: expect.arrayContaining([
        expect.objectContaining({
          id: 'ollama',
          status: 'running',
          models: [
            {
              reference: 'ollama/qwen3:8b',
              name: 'qwen3:8b',
              contextTokens: 4096,
              hasTemplate: false,
              protocol: 'hermes',
            },
            { reference: 'ollama/odd', name: 'odd', contextTokens: 4096, hasTemplate: false },
          ],
        }),
      ]) as unknown,
    })
  })

  test('reports an environment variable with an invalid model', async () => {
    const { code, errors } = await startCommand(['models'], { env: { TOOLGLOT_MODEL: 'olama/a' } })
    expect(code).toBe(2)
    expect(errors).toContain('TOOLGLOT_MODEL: expected a model')
    expect(errors).toContain('did you mean ollama/a?')
  })
})

const bare = '{"name": "get_weather", "arguments": {"city": "Hanoi"}}'
const llama = '{"name": "get_weather", "parameters": {"city": "Hanoi"}}'
const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``
const UNATTENDED = 'format: read-only tools will run, others need approval'

describe('models test', () => {
  test('a call without marks is understood if the protocol has none', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(llama) }
    const { code, output } = await startCommand(['models', 'test', 'ollama/llama3.2'], { env })
    expect(output).toMatch(/^call +understood$/m)
    expect(code).toBe(0)
  })

  test('reports a call that was understood', async () => {
    const heard: { body?: string } = {}
    const env = { OLLAMA_HOST: await ollamaServer(`Let me look.\n${call}`, heard) }
    const { code, output } = await startCommand(['models', 'test', 'ollama/qwen3:8b'], { env })
    expect(output).toMatch(/^protocol +hermes \(recognized by the name\)$/m)
    expect(output).toMatch(/^whole reply +\d+ ms, finish: stop$/m)
    expect(output).toMatch(/^tokens +about \d+, [\d.]+ per second$/m)
    expect(output).toMatch(/^call +understood$/m)
    expect(code).toBe(0)
    expect(heard.body).toContain('get_weather')
    expect(JSON.parse(heard.body!)).not.toHaveProperty('tools')
  })

  test('exits with 1 if the call was not understood, and shows the reply', async () => {
    const env = { OLLAMA_HOST: await ollamaServer('It is \x1b[2Jsunny.') }
    const words = ['models', 'test', '-p', 'mistral', 'ollama/odd']
    const { code, output } = await startCommand(words, { env })
    expect(code).toBe(1)
    expect(output).toMatch(/^protocol +mistral \(from --protocol\)$/m)
    expect(output).toMatch(/^call +not understood$/m)
    expect(output).toContain('The model wrote:\nIt is \\x1b[2Jsunny.')
  })

  test.each([
    [call.replaceAll('get_weather', 'Read'), 'called Read instead of get_weather'],
    [call.replace('Hanoi', 'Hue'), 'with other arguments than Hanoi: {"city":"Hue"}'],
    [bare, `not in the hermes ${UNATTENDED}`],
    [fenced(bare), `not in the hermes ${UNATTENDED}`],
    [`Sure.\n${fenced(bare)}`, `not in the hermes ${UNATTENDED}`],
    [`Sure.\n${fenced(bare.replace('get_weather', 'Read'))}`, 'called Read instead of get_weather'],
    [`So: ${llama}`, `not as the whole reply in the llama3-json ${UNATTENDED}`, 'llama3.2'],
    [fenced(llama), `not as the whole reply in the llama3-json ${UNATTENDED}`, 'llama3.2'],
  ])('says what was understood instead: %j', async (said, but, name = 'qwen3:8b') => {
    const env = { OLLAMA_HOST: await ollamaServer(said) }
    const { code, output } = await startCommand(['models', 'test', `ollama/${name}`], { env })
    expect(output).toContain(`understood, but ${but}\n`)
    expect(output).not.toContain('not understood')
    expect(output).toContain('The model wrote:')
    expect(code).toBe(1)
  })

  test('--json', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(call) }
    const words = ['models', 'test', 'ollama/odd', '--json']
    const { code, output } = await startCommand(words, { env })
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      reference: 'ollama/odd',
      // The prompt that a run would use.
      protocol: 'hermes',
      by: 'guess',
      understood: true,
      finish: 'stop',
    })
  })

  test.each([
    [['models', 'test', 'olama/a'], 2, 'did you mean ollama/a?'],
    [['models', 'test', 'openai/a'], 1, 'OpenAI needs a key: set OPENAI_API_KEY'],
    [['models', 'test', 'http://127.0.0.1:1#a'], 1, 'Cannot reach'],
    [['models', 'tset'], 2, ''],
    [['models', 'test', '-p', 'hermse', 'ollama/a'], 2, 'did you mean hermes'],
  ])('%j', async (words, code, message) => {
    const outcome = await startCommand(words)
    expect(outcome.errors).toContain(message)
    expect(outcome.code).toBe(code)
  })

  test('asks once about a model that costs money, and remembers the answer', async () => {
    const heard: { key?: string } = {}
    const url = await ollamaServer(call, heard)
    const { HOME, file } = home({ model: 'openai/a' })
    const folder = mkdtempSync(join(tmpdir(), 'toolglot-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, '.toolglot'))
    writeFileSync(join(folder, '.toolglot/settings.local.json'), '{"model": "openai/b"}')
    const env = { HOME, OPENAI_API_KEY: 'hush', OPENAI_BASE_URL: url }
    const run = (answer?: string): ReturnType<typeof startCommand> =>
      startCommand(['models', 'test'], {
        env,
        cwd: folder,
        ...(answer !== undefined && { answer }),
      })
    expect((await startCommand(['trust', '--yes'], { env, cwd: folder })).code).toBe(0)

    const nobody = await run()
    expect(nobody).toMatchObject({ code: 1, output: '' })
    expect(nobody.errors).toContain(
      'expected your agreement to use OpenAI, which costs money, got nobody to ask',
    )
    expect(await run('no')).toMatchObject({ code: 1, output: '' })
    expect(heard).toEqual({})

    const agreed = await run('yes')
    expect(agreed.output).toContain('openai/b: it is the default in the settings of this folder')
    expect(heard.key).toBe('Bearer hush')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      model: 'openai/a',
      paidProviders: ['openai'],
    })
    expect((await run()).output).toContain('openai/b')
  })

  test("sends a user's key only to the address in the user's settings", async () => {
    const heard: { key?: string } = {}
    const url = await ollamaServer(call, heard)
    const folder = mkdtempSync(join(tmpdir(), 'toolglot-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, '.toolglot'))
    writeFileSync(join(folder, '.toolglot/settings.json'), JSON.stringify({ model: `${url}/v1#a` }))
    const env = { HOME: home().HOME, TOOLGLOT_API_KEY: 'hush' }
    await startCommand(['trust', '--yes'], { env, cwd: folder })
    expect((await startCommand(['models', 'test'], { env, cwd: folder })).output).toContain('#a')
    expect(heard.key).toBe(undefined)
    await startCommand(['models', 'test', `${url}/v1#a`], { env })
    expect(heard.key).toBe('Bearer hush')
  })
})

describe('models use', () => {
  test("saves the model in the user's settings", async () => {
    const { HOME, file } = home()
    const words = ['models', 'use', 'ollama/qwen3:8b']
    const { code, output } = await startCommand(words, { env: { HOME } })
    expect(code).toBe(0)
    expect(output).toContain('The default model is now ollama/qwen3:8b')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'ollama/qwen3:8b' })
    const listed = await startCommand(['models'], { env: { HOME } })
    expect(listed.output).toContain(
      'Would use ollama/qwen3:8b: it is the default in your settings.',
    )
  })

  test.each([
    ['qwen', 2, 'such as ollama/qwen'],
    ['http://a:b@c/v1#d', 2, 'without a username or password'],
    ['http://a/v1?k=sk-abcdefghijklmnopqrstuvwx#d', 1, 'looks like a secret'],
  ])('rejects %s', async (reference, code, message) => {
    const outcome = await startCommand(['models', 'use', reference], { env: { HOME: home().HOME } })
    expect(outcome.errors).toContain(message)
    expect(outcome.code).toBe(code)
  })
})

test("models test uses the model's protocol, not one that settings add", async () => {
  const { output, errors } = await runInShell('toolglot models test ollama/qwen3:8b --json', {
    files: {
      'home/.config/toolglot/settings.json': '{"protocols": ["~/.config/toolglot/mine.mjs"]}',
      'home/.config/toolglot/mine.mjs': arrow,
    },
    env: { OLLAMA_HOST: await ollamaServer(call) },
  })
  expect(errors).toBe('')
  expect(JSON.parse(output)).toMatchObject({ protocol: 'hermes', understood: true })
}, 60_000)
