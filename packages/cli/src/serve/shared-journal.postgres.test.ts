import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrateJournal } from '@toolglot/postgres'
import type { RunEvent } from '@toolglot/agent'
import { describe, expect, onTestFinished, test } from 'vitest'
import { execute, postgresUrl } from '../../../postgres/test/database.ts'
import { startProxy } from '../../../postgres/test/switching-proxy.ts'
import { eventReader } from '../../../server/test/event-reader.ts'
import { startUpstream } from '../../../server/test/upstream.ts'
import { serveProcess, type ServeProcess } from '../../test/serve-process.ts'
import { spawned } from '../../test/spawned.ts'
import { calling } from '../../test/talking-server.ts'

describe('servers with a shared journal', () => {
  /**
   * Servers with a shared journal, and a model that makes one call in each turn and then answers.
   */
  async function servers(
    count: number,
    calls: readonly string[],
    allow: readonly string[] = [],
    server: object = {},
  ): Promise<{ all: ServeProcess[]; model: string; journal: string }> {
    const database = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
    await execute(`CREATE DATABASE ${database}`)
    const url = new URL(postgresUrl)
    url.pathname = `/${database}`
    const journal = url.href
    await migrateJournal({ url: journal })
    const model = await startUpstream({
      reply: (_, messages) => {
        const turn = messages.filter(
          ({ role, content }) => role === 'assistant' && String(content).startsWith('Turn '),
        ).length
        return `Turn ${turn}.\n${calls[turn] ?? ''}`
      },
    })
    onTestFinished(() => model.close())
    const all = await Promise.all(
      Array.from({ length: count }, () =>
        serveProcess({
          settings: { permissions: { allow }, server },
          env: { TOOLGLOT_JOURNAL: journal },
        }),
      ),
    )
    return { all, model: `${model.url}#qwen3:8b`, journal }
  }

  async function startRun(
    server: ServeProcess,
    body: { readonly model: string; readonly folder?: string },
  ): Promise<string> {
    const response = await server.post('/api/runs', { prompt: 'Go.', ...body })
    const answer = (await response.json()) as { run: string }
    expect(response.status, JSON.stringify(answer)).toBe(201)
    return answer.run
  }

  async function eventsOf(server: ServeProcess, run: string): Promise<readonly RunEvent[]> {
    const reader = eventReader(server, run)
    while (!reader.hasEnded()) await reader.read()
    return reader.events.flatMap(({ event }) => (event.transient ? [] : [event]))
  }

  const json = async (server: ServeProcess, path: string): Promise<unknown> =>
    (await server.ask(path)).json()

  test('any server can show, approve, stream and stop a run', async () => {
    const { all, model } = await servers(2, [
      calling('Write', { file_path: 'new.txt', content: 'x' }),
    ])
    const [one, other] = all as [ServeProcess, ServeProcess]
    const run = await startRun(one, { model })
    const pending = async (): Promise<readonly { run: string; key: string }[]> =>
      (await json(other, '/api/approvals')) as { run: string; key: string }[]
    await expect.poll(pending, { timeout: 30_000 }).toMatchObject([{ run, type: 'approval' }])
    expect(await json(other, '/api/runs')).toMatchObject([{ run, state: 'waiting' }])
    const streamed = eventsOf(other, run)
    const [{ key } = { key: '' }] = await pending()
    const answer = await other.post(`/api/runs/${run}/approve`, { key })
    expect(answer.status, await answer.text()).toBeLessThan(300)
    const events = await streamed
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(events).toEqual(await eventsOf(one, run))
    expect(readFileSync(join(one.folder, 'new.txt'), 'utf8')).toBe('x')

    expect(await (await other.ask('/metrics')).text()).toContain('toolglot_journal_processes 2\n')
    const second = await startRun(one, { model })
    await expect.poll(pending, { timeout: 30_000 }).toMatchObject([{ run: second }])
    const stopped = await other.post(`/api/runs/${second}/stop`, {})
    expect(stopped.status, await stopped.text()).toBeLessThan(300)
    expect((await eventsOf(one, second)).at(-1)).toMatchObject({ reason: 'cancelled' })
  })

  test('another server continues the runs of a killed one without repeating a step', async () => {
    const calls = [
      calling('Bash', { command: 'echo one >> log' }),
      calling('Bash', { command: 'sleep 1' }),
      calling('Bash', { command: 'echo two >> log' }),
    ]
    const allow = ['Bash(echo *)', 'Bash(sleep *)', 'Edit']
    const { all, model, journal } = await servers(2, calls, allow)
    const [one, other] = all as [ServeProcess, ServeProcess]
    const folder = one.folder
    const runs = await Promise.all([
      startRun(one, { model, folder }),
      startRun(one, { model, folder }),
    ])
    const log = (): string => readFileSync(join(folder, 'log'), { encoding: 'utf8', flag: 'a+' })
    await expect.poll(log, { timeout: 30_000 }).toBe('one\none\n')
    await one.stop('SIGKILL')
    for (const run of runs) {
      const events = await eventsOf(other, run)
      expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
    }
    expect(log().split('\n').sort()).toEqual(['', 'one', 'one', 'two', 'two'])

    // A run that the server releases continues immediately in a worker.
    const released = await startRun(other, { model, folder })
    await expect.poll(() => log().split('one').length, { timeout: 30_000 }).toBe(4)
    await other.stop('SIGTERM')
    const worker = spawned(['worker', '--cwd', folder], {
      env: { HOME: other.home, NO_COLOR: '1', TOOLGLOT_JOURNAL: journal },
    })
    await worker.until(new RegExp(`${released} ended`))
    worker.child.kill('SIGTERM')
    expect(await worker.ended()).toBe(0)
    expect(log().split('\n').sort()).toEqual(['', 'one', 'one', 'one', 'two', 'two', 'two'])
  })

  test("all servers accept each other's tokens, logins and earlier responses", async () => {
    const { all, journal } = await servers(2, [])
    const [one, other] = all as [ServeProcess, ServeProcess]
    const command = async (...words: readonly string[]): Promise<string> => {
      const env = { HOME: one.home, NO_COLOR: '1', TOOLGLOT_JOURNAL: journal }
      const started = spawned(words, { env })
      expect(await started.ended(), started.errors()).toBe(0)
      return started.output().trim()
    }
    const token = await command('token', 'create', 'ci', '--scope', 'all')
    const ask = (server: ServeProcess, path: string, body?: object, headers: object = {}) =>
      fetch(`${server.url}${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...headers },
      })
    const bearer = { authorization: `Bearer ${token}` }
    for (const server of all)
      expect((await ask(server, '/api/runs', undefined, bearer)).status).toBe(200)
    expect(await command('token', 'list')).toMatch(/main[^]*ci/)

    const answered = await ask(one, '/v1/responses', { model: 'default', input: 'One' }, bearer)
    const first = (await answered.json()) as { id: string }
    expect(answered.status, JSON.stringify(first)).toBe(200)
    const again = { model: 'default', input: 'Two', previous_response_id: first.id }
    const second = await ask(other, '/v1/responses', again, bearer)
    expect(second.status, await second.text()).toBe(200)

    const link = new URL(await command('token', '--link'))
    const login = await ask(other, '/api/login', { code: link.hash.slice('#login='.length) })
    expect(login.status).toBe(204)
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!.split('=')[1]!
    const cookieAt = (server: ServeProcess): object => ({
      cookie: `toolglot_${new URL(server.url).port}=${cookie}`,
    })
    expect((await ask(other, '/api/runs', undefined, cookieAt(other))).status).toBe(200)

    await command('token', 'revoke', 'ci')
    for (const server of all)
      await expect
        .poll(async () => (await ask(server, '/api/runs', undefined, bearer)).status, {
          timeout: 30_000,
        })
        .toBe(401)
  })

  test("while the database is down, the machine's token works, and other clients are told to retry", async () => {
    const { journal } = await servers(0, [])
    const proxy = await startProxy(journal)
    const server = await serveProcess({ env: { TOOLGLOT_JOURNAL: proxy.url } })
    const asked = (token: string): Promise<Response> =>
      fetch(`${server.url}/api/tools`, { headers: { authorization: `Bearer ${token}` } })
    expect((await asked('unknown')).status).toBe(401)
    proxy.switchTo(undefined)
    const refused = await asked('unknown')
    expect(await refused.json()).toMatchObject({ status: 503, code: 'storage_failed' })
    expect((await asked(server.token)).status).toBe(200)
    proxy.switchTo(journal)
    expect((await asked('unknown')).status).toBe(401)
  })

  test('a worker leaves runs of other tools or versions, unless it is told to continue them', async () => {
    const { all, model, journal } = await servers(
      1,
      [calling('Bash', { command: 'sleep 2' }), calling('Bash', { command: 'echo one >> log' })],
      ['Bash(echo *)', 'Bash(sleep *)', 'Edit'],
      { codeVersion: '1' },
    )
    const [server] = all as [ServeProcess]
    const { folder, home } = server
    const run = await startRun(server, { model, folder })
    await server.stop('SIGTERM')
    const env = { HOME: home, NO_COLOR: '1', TOOLGLOT_JOURNAL: journal }
    const worker = (...words: readonly string[]) =>
      spawned(['worker', '--cwd', folder, ...words], { env })
    const stop = async (started: ReturnType<typeof worker>): Promise<void> => {
      started.child.kill('SIGTERM')
      expect(await started.ended()).toBe(0)
    }
    // The worker ignores runs of another version.
    const other = worker('--code-version', '2')
    await other.until(/Working as/)
    const settings = join(home, 'other.json')
    writeFileSync(settings, JSON.stringify({ toolToggles: { Bash: false } }))
    const changed = worker('--code-version', '1', '--settings', settings)
    await changed.until(
      new RegExp(
        `${run} was left to other processes. The setup of the run has changed: the tools have changed:`,
      ),
    )
    expect(other.errors()).not.toContain(run)
    await Promise.all([stop(changed), stop(other)])
    const last = worker('--code-version', '2', '--when-changed', 'continue')
    await last.until(new RegExp(`${run} ended`))
    await stop(last)
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('one\n')
  })
})

test('an unusable journal is reported without its password', async () => {
  for (const [words, message] of [
    [['journal', 'migrate', 'mysql://me:secret@x'], /The journal must be a URL/],
    [['journal', 'status', 'postgres://me:secret@127.0.0.1:9/data'], /cannot be reached/],
    [['worker'], /--journal postgres:\/\/… or TOOLGLOT_JOURNAL/],
  ] as const) {
    const command = spawned(words, { env: { NO_COLOR: '1' } })
    expect(await command.ended()).not.toBe(0)
    expect(command.errors()).toMatch(message)
    expect(command.errors()).not.toContain('secret')
  }
})
