import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import type { FakeServer } from '../../../agent/test/fixtures/servers/fake-server.ts'
import { fakeOllama } from '../../../agent/test/fixtures/servers/ollama.ts'
import { arrow } from '../../test/arrow.ts'
import { runInShell } from '../../test/spawn-command.ts'
import { startCommand } from '../../test/start-command.ts'
import { talkingServer } from '../../test/talking-server.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'

/** The address of a fake Ollama that sends this reply. */
async function ollamaServer(said: string): Promise<string> {
  return (await ollama(said)).url
}

function ollama(said: string): Promise<FakeServer> {
  const models = ['qwen3:8b', 'odd', 'llama3.2'].map((name) => ({
    name,
    trained: 40_960,
    loaded: 4096,
    capabilities: ['completion'],
  }))
  return fakeOllama(models, () => said)
}

function home(settings?: object): { HOME: string; file: string } {
  const HOME = folderOf()
  const file = join(HOME, '.config/toolglot/settings.json')
  if (settings) {
    mkdirSync(join(HOME, '.config/toolglot'), { recursive: true })
    writeFileSync(file, JSON.stringify(settings))
  }
  return { HOME, file }
}

describe('models', () => {
  test('lists running and stopped servers, and the model in use', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(''), OPENAI_API_KEY: 'hush-hush' }
    const { code, output } = await startCommand(['models'], { env })
    expect(code).toBe(0)
    expect(output).toMatch(/^ {2}ollama\/qwen3:8b +hermes +4096 tokens +in memory$/m)
    expect(output).toMatch(/^ {2}ollama\/odd +unknown protocol +4096 tokens +in memory$/m)
    expect(output).toMatch(/^ {2}openai\/\S+ +OPENAI_API_KEY$/m)
    expect(output).toContain(`Would use ollama/qwen3:8b: Ollama is running at ${env.OLLAMA_HOST}`)
    expect(output).not.toContain('hush')
  })

  test('--json', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(''), TOOLGLOT_MODEL: 'vllm/a' }
    const { output } = await startCommand(['models', '--json'], { env })
    expect(JSON.parse(output)).toMatchObject({
      choice: { reference: 'vllm/a', why: 'set by TOOLGLOT_MODEL' },
      named: 'vllm/a',
      servers: expect.arrayContaining([
        expect.objectContaining({
          id: 'ollama',
          status: 'running',
          models: expect.arrayContaining([
            expect.objectContaining({
              reference: 'ollama/qwen3:8b',
              name: 'qwen3:8b',
              contextTokens: 4096,
              hasTemplate: false,
              protocol: 'hermes',
            }),
            expect.not.objectContaining({ protocol: expect.anything() as unknown }),
          ]) as unknown,
        }),
      ]) as unknown,
    })
  })

  test('reports an environment variable with an invalid model', async () => {
    const { code, errors } = await startCommand(['models'], { env: { TOOLGLOT_MODEL: 'olama/a' } })
    expect(code).toBe(2)
    expect(errors).toContain('TOOLGLOT_MODEL: Invalid model')
    expect(errors).toContain('Did you mean ollama/a?')
  })
})

const bare = '{"name": "get_weather", "arguments": {"city": "Hanoi"}}'
const llama = '{"name": "get_weather", "parameters": {"city": "Hanoi"}}'
const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``
const UNATTENDED = 'format: read-only tools will run, others need approval'

describe('models test', () => {
  test('accepts a call without marks if the protocol has none', async () => {
    const env = { OLLAMA_HOST: await ollamaServer(llama) }
    const { code, output } = await startCommand(['models', 'test', 'ollama/llama3.2'], { env })
    expect(output).toMatch(/^call +understood$/m)
    expect(code).toBe(0)
  })

  test('reports a call that was read correctly', async () => {
    const { url, requests } = await ollama(`Let me look.\n${call}`)
    const env = { OLLAMA_HOST: url }
    const { code, output } = await startCommand(['models', 'test', 'ollama/qwen3:8b'], { env })
    expect(output).toMatch(/^protocol +hermes \(recognized by its name\)$/m)
    expect(output).toMatch(/^whole reply +\d+ ms, finish: stop$/m)
    expect(output).toMatch(/^tokens +\d+, [\d.]+ per second$/m)
    expect(output).toMatch(/^call +understood$/m)
    expect(code).toBe(0)
    const { path, body } = requests.at(-1)!
    expect(path).toBe('/api/chat')
    expect(JSON.stringify(body)).toContain('get_weather')
    expect(body).not.toHaveProperty('tools')
  })

  test('exits with 1 if the call was not read correctly, and shows the reply', async () => {
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
  ])('reports the difference: %j', async (said, but, name = 'qwen3:8b') => {
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
      // The format that a run would use.
      protocol: 'hermes',
      by: 'guess',
      understood: true,
      finish: 'stop',
    })
  })

  test.each([
    [['models', 'test', 'olama/a'], 2, 'Did you mean ollama/a?'],
    [['models', 'test', 'openai/a'], 1, 'OpenAI needs a key: set OPENAI_API_KEY'],
    [['models', 'test', 'http://127.0.0.1:1#a'], 1, 'Cannot reach'],
    [['models', 'tset'], 2, ''],
    [['models', 'test', '-p', 'hermse', 'ollama/a'], 2, 'Did you mean hermes'],
  ])('%j', async (words, code, message) => {
    const outcome = await startCommand(words)
    expect(outcome.errors).toContain(message)
    expect(outcome.code).toBe(code)
  })

  test('asks once about a paid model, and remembers the answer', async () => {
    const { url, requests } = await talkingServer(call)
    const key = (): string | undefined => requests.at(-1)?.headers.authorization
    const { HOME, file } = home({ model: 'openai/a' })
    const folder = folderOf()
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
    expect(nobody.errors).toContain('OpenAI costs money, and nobody is present to agree')
    expect(await run('no')).toMatchObject({ code: 1, output: '' })
    expect(requests).toEqual([])

    const agreed = await run('yes')
    expect(agreed.output).toContain('openai/b: the default in the settings of this folder')
    expect(key()).toBe('Bearer hush')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      model: 'openai/a',
      paidProviders: ['openai'],
    })
    expect((await run()).output).toContain('openai/b')
  })

  test("sends a user's key only to the address in the user's settings", async () => {
    const { url, requests } = await talkingServer(call)
    const key = (): string | undefined => requests.at(-1)?.headers.authorization
    const folder = folderOf()
    mkdirSync(join(folder, '.toolglot'))
    writeFileSync(join(folder, '.toolglot/settings.json'), JSON.stringify({ model: `${url}/v1#a` }))
    const env = { HOME: home().HOME, TOOLGLOT_API_KEY: 'hush' }
    await startCommand(['trust', '--yes'], { env, cwd: folder })
    expect((await startCommand(['models', 'test'], { env, cwd: folder })).output).toContain('#a')
    expect(key()).toBe(undefined)
    await startCommand(['models', 'test', `${url}/v1#a`], { env })
    expect(key()).toBe('Bearer hush')
  })
})

describe('models use', () => {
  const use = async (name: string | undefined, more: { answer?: string } = {}) => {
    const { HOME, file } = home()
    const env = { HOME, OLLAMA_HOST: await ollamaServer('Hi') }
    const words = ['models', 'use', ...(name === undefined ? [] : [name])]
    const { code, output, errors } = await startCommand(words, { env, ...more })
    const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : undefined
    return { code, output, errors, saved, env }
  }

  test("saves the model in the user's settings", async () => {
    const { code, output, errors, saved, env } = await use('ollama/qwen3:8b')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('The default model is now ollama/qwen3:8b')
    expect(saved).toEqual({ model: 'ollama/qwen3:8b' })
    const listed = await startCommand(['models'], { env })
    expect(listed.output).toContain('Would use ollama/qwen3:8b: the default in your settings.')
  })

  test('accepts a bare name, and one without its tag', async () => {
    expect((await use('qwen3:8b')).saved).toEqual({ model: 'ollama/qwen3:8b' })
    expect((await use('llama3.2')).saved).toEqual({ model: 'ollama/llama3.2' })
  })

  test('accepts a number from a list', async () => {
    const { saved, errors } = await use(undefined, { answer: '2' })
    expect(errors).toBe(' 1  ollama/qwen3:8b\n 2  ollama/odd\n 3  ollama/llama3.2\n')
    expect(saved).toEqual({ model: 'ollama/odd' })
  })

  test.each([
    ['', 1, ''],
    ['7', 2, "'7' is not one of these numbers. List models with: toolglot models"],
    [undefined, 2, 'No terminal to ask on'],
  ])('picks nothing for the answer %j', async (answer, code, message) => {
    const outcome = await use(undefined, answer === undefined ? {} : { answer })
    expect(outcome).toMatchObject({ code, saved: undefined })
    expect(outcome.errors).toContain(message)
  })

  test.each([
    ['ollama/qwen3:9b', 1, 'Ollama has no model qwen3:9b. Did you mean qwen3:8b?'],
    [
      'qwen3:9b',
      2,
      "No running server has a model named 'qwen3:9b'. Did you mean ollama/qwen3:8b?",
    ],
    ['./missing.gguf', 1, 'missing.gguf'],
    ['openai/gpt-5-mini', 1, 'OpenAI needs a key: set OPENAI_API_KEY'],
    ['http://a:b@c/v1#d', 2, 'must not contain a username or password'],
    ['http://127.0.0.1:1/v1?k=sk-abcdefghijklmnopqrstuvwx#d', 1, 'looks like a secret'],
  ])('refuses %s without saving', async (name, code, message) => {
    const outcome = await use(name)
    expect(outcome.errors).toContain(message)
    expect(outcome).toMatchObject({ code, saved: undefined })
  })

  test('also checks a name on a server with an OpenAI API', async () => {
    const { url } = await ollama('Hi')
    const wrong = await use(`${url}/v1#qwen3:9b`)
    expect(wrong.errors).toMatch(
      /The server at http:\S+ has no model qwen3:9b\. Did you mean qwen3:8b\?/,
    )
    expect(wrong.saved).toBe(undefined)
    expect((await use(`${url}/v1#odd`)).saved).toEqual({ model: `${url}/v1#odd` })
  })

  test('saves a model of a stopped server, with a warning', async () => {
    const { code, saved, errors } = await use('http://127.0.0.1:1/v1#a')
    expect({ code, saved }).toEqual({ code: 0, saved: { model: 'http://127.0.0.1:1/v1#a' } })
    expect(errors).toMatch(
      /Cannot reach the server at http:\S+.* So the name could not be checked\./,
    )
  })
})

test("models test uses the model's protocol, not one from the settings", async () => {
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
