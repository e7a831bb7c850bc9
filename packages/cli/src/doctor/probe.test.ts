import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { printCalls, type Protocol, protocols } from '@toolglot/core'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { WANTED } from '../../../workspace/test/probe-fakes.ts'
import { startCommand } from '../../test/start-command.ts'

// A fake model server: it finds the call that a task requires, and always writes it in one dialect.

interface Fake {
  readonly url: string
  /** The requests so far. */
  readonly heard: string[]
}

/** A server with both APIs of Ollama. Without a dialect it writes no calls; `hangs`: it never replies. */
async function serverThat({
  speaks,
  hangs = false,
}: { speaks?: Protocol; hangs?: boolean } = {}): Promise<Fake> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const json = (value: object): void => void response.end(JSON.stringify(value))
      if (request.url === '/api/tags') return json({ models: [{ name: 'qwen3:8b' }] })
      if (request.url === '/api/ps') return json({ models: [] })
      if (request.url === '/api/show') return json({ parameters: 'num_ctx 4096' })
      const isOwn = request.url === '/api/chat'
      if (!isOwn && request.url !== '/v1/chat/completions')
        return void response.writeHead(404).end()
      heard.push(body)
      if (hangs) return
      const { messages } = JSON.parse(body) as { messages: { content: string }[] }
      const text = messages.map(({ content }) => content).join('\n')
      const wanted = WANTED.find(({ asked }) => text.includes(asked))
      const said = text.includes('4817')
        ? 'It is 4817.'
        : speaks && wanted
          ? printCalls(speaks, [wanted])
          : 'I \x1b[2Jcannot.'
      const line = (content: string, done: boolean): string =>
        `${JSON.stringify({ message: { role: 'assistant', content }, done, done_reason: 'stop' })}\n`
      const event = (delta: object, finish: string | null = null): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      response.end(
        isOwn
          ? `${line(said, false)}${line('', true)}`
          : `${event({ content: said })}${event({}, 'stop')}data: [DONE]\n\n`,
      )
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

function home(): { HOME: string; settings: () => unknown } {
  const HOME = folderOf()
  const file = join(HOME, '.config/toolglot/settings.json')
  return { HOME, settings: () => JSON.parse(readFileSync(file, 'utf8')) as unknown }
}

test('probes, shows a table, and saves the best protocol, which all commands use', async () => {
  const { HOME, settings } = home()
  const { url } = await serverThat({ speaks: protocols['tool-xml'] })
  const env = { HOME, OLLAMA_HOST: url }
  const { code, output, errors } = await startCommand(['doctor', '--probe'], { env })
  expect(errors).toContain('1 of 5: hermes …')
  expect(output).toMatch(/^protocol +arguments +awkward text +result +time$/m)
  expect(output).toMatch(
    /^hermes \(its own\) +failed +failed +failed +\d+\.\d s +not in the hermes/m,
  )
  expect(output).toMatch(/^tool-xml +done +done +done +\d+\.\d s$/m)
  expect(output).toContain('ollama/qwen3:8b writes tool-xml best: 3 of 3 tasks.')
  expect(code).toBe(0)
  expect(settings()).toEqual({ modelProtocols: { 'ollama/qwen3:8b': 'tool-xml' } })

  const models = await startCommand(['models'], { env })
  expect(models.output).toMatch(/ollama\/qwen3:8b +tool-xml \(probed\)/)
  expect(models.output).toContain('Its call format is tool-xml (probed).')
  const tested = await startCommand(['models', 'test', '--json'], { env })
  expect(JSON.parse(tested.output)).toMatchObject({ protocol: 'tool-xml', by: 'probe' })
  const checked = await startCommand(['doctor', '--json'], { env })
  expect(checked.output).toContain('its call format is tool-xml (probed)')
  const run = await startCommand(['run', 'Hello'], { env })
  expect(run.errors + run.output).toContain('tool-xml (probed)')
  // A protocol on the command line takes precedence.
  const named = await startCommand(['run', '-p', 'mistral', 'Hello'], { env })
  expect(named.errors + named.output).not.toContain('probed')
})

test('--json, and a model by its URL', async () => {
  const { HOME, settings } = home()
  const { url } = await serverThat({ speaks: protocols.hermes })
  const reference = `${url}/v1#some.model`
  const words = ['doctor', '--probe', '--json', '--model', reference]
  const { code, output } = await startCommand(words, { env: { HOME } })
  expect(JSON.parse(output)).toMatchObject({
    reference,
    best: 'hermes',
    tried: expect.arrayContaining([
      expect.objectContaining({ protocol: 'hermes', isOwn: false }),
    ]) as unknown,
    saved: { protocol: 'hermes', file: join(HOME, '.config/toolglot/settings.json') },
  })
  expect(code).toBe(0)
  expect(settings()).toEqual({ modelProtocols: { [reference]: 'hermes' } })
})

test('reports that a model calls no tool in any dialect, without saving a protocol', async () => {
  const { HOME, settings } = home()
  const { url, heard } = await serverThat()
  const env = { HOME, OLLAMA_HOST: url }
  const { code, output } = await startCommand(['doctor', '--probe'], { env })
  expect(output).toContain('ollama/qwen3:8b does not call tools in any dialect tried.')
  expect(output).toContain('Nothing was saved.')
  expect(output).not.toContain('\x1b')
  expect(code).toBe(1)
  expect(heard).toHaveLength(5)
  expect(settings).toThrow('ENOENT')
})

test('asks before sending many requests to a paid model', async () => {
  const { HOME, settings } = home()
  const { url, heard } = await serverThat({ speaks: protocols.hermes })
  const env = { HOME, OPENAI_API_KEY: 'hush', OPENAI_BASE_URL: url }
  const words = ['doctor', '--probe', '-m', 'openai/a']
  const nobody = await startCommand(words, { env })
  expect(nobody.errors).toContain('OpenAI costs money, and there is no terminal to ask on')
  expect(nobody.code).toBe(1)
  expect(await startCommand(words, { env, answer: 'no' })).toMatchObject({ code: 1 })
  expect(heard).toEqual([])
  const agreed = await startCommand(words, { env, answer: 'y' })
  expect(agreed.output).toContain('openai/a writes hermes best')
  expect(agreed.output).toMatch(/^native \(its own\) +failed/m)
  expect(settings()).toEqual({ modelProtocols: { 'openai/a': 'hermes' } })
})

test("ignores a folder's settings about the call format", async () => {
  const { HOME } = home()
  const { url } = await serverThat()
  const cwd = folderOf()
  mkdirSync(join(cwd, '.toolglot'))
  const file = join(cwd, '.toolglot/settings.json')
  writeFileSync(file, '{"modelProtocols": {"ollama/qwen3:8b": "vcp"}}')
  const env = { HOME, OLLAMA_HOST: url }
  await startCommand(['trust', '--yes'], { env, cwd })
  const { output } = await startCommand(['models'], { env, cwd })
  expect(output).toMatch(/ollama\/qwen3:8b +hermes /)
  expect((await startCommand(['doctor', '--json'], { env, cwd })).output).toContain(
    'only read from your own settings',
  )
})

test('saves no protocol after Ctrl-C', async () => {
  const { HOME, settings } = home()
  const { url, heard } = await serverThat({ hangs: true })
  const probe = startCommand(['doctor', '--probe'], { env: { HOME, OLLAMA_HOST: url } })
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(1)
  process.emit('SIGINT')
  const { code, errors } = await probe
  expect(errors).toContain('Stopped. Nothing was saved.')
  expect(code).toBe(1)
  expect(settings).toThrow('ENOENT')
})

test.each([
  [['doctor', '--model', 'ollama/a'], 2, '--model requires --probe'],
  [['doctor', '--probe', '-m', 'olama/a'], 2, 'Did you mean ollama/a?'],
  [['doctor', '--probe', '-m', 'http://127.0.0.1:1#a'], 1, 'Cannot reach'],
  [['doctor', '--probe'], 1, 'name a model with --model'],
])('%j', async (words, code, message) => {
  const outcome = await startCommand(words, {
    env: { HOME: home().HOME, OLLAMA_HOST: '127.0.0.1:1' },
  })
  expect(outcome.errors).toContain(message)
  expect(outcome.code).toBe(code)
})
