import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEvent } from '@toolglot/agent'
import { openJournal, userDirectories } from '@toolglot/workspace'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { bash, obedient, write } from '../../test/obedient-model.ts'
import { type RunClient, runClient } from '../../test/run-client.ts'
import * as routes from '../api/routes/index.ts'
import { until } from '../../../../tests/helpers/until.ts'
import { longTest, share } from '../../../../tests/helpers/size.ts'

async function recorded(client: RunClient, run: string): Promise<readonly RunEvent[]> {
  return client.call(routes.replayRun, { parameters: { run } })
}

test('continues the interrupted work of the previous server without repeating a step', async () => {
  let hangs = true
  const client = await runClient((messages, turn) => {
    const isSlow = messages.some(({ content }) => content.includes('SLOW'))
    return isSlow && hangs ? { hang: 'I begin ' } : obedient(messages, turn)
  })
  const { folder } = client
  const gone = folderOf()
  for (const name of ['one', 'two']) mkdirSync(join(folder, name))
  symlinkSync('one', join(folder, 'link'))

  const ticks = (): number =>
    readFileSync(join(folder, 'ticks'), { encoding: 'utf8', flag: 'a+' }).length

  const replying = await client.start('SLOW')
  const working = await client.start(
    bash('echo x >> log; while :; do echo . >> ticks; sleep 0.02; done'),
  )
  await client.approveAll(working.run)
  const asking = await client.start(write('new.txt'))
  const changing = await client.start(write('link/new.txt'))
  const orphan = await client.start(write('new.txt'), { folder: gone })
  const finished = await client.start('Say something.')
  const [asked] = await client.waiting(asking.run)
  const [changed] = await client.waiting(changing.run)
  await client.waiting(orphan.run)
  await client.ended(finished.run)
  await until(
    async () => ticks(),
    (count) => count > 0,
  )
  await until(
    async () => client.model.requests,
    (all) => all.some((messages) => messages.at(-1)?.content === 'SLOW'),
  )
  const requests = client.model.requests.length

  const next = await client.again()
  expect(client.errors).toEqual([])
  const last = ticks()
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(ticks(), 'the command was ended').toBe(last)
  hangs = false
  rmSync(gone, { recursive: true })
  rmSync(join(folder, 'link'))
  symlinkSync('two', join(folder, 'link'))
  const states = async (): Promise<object> =>
    Object.fromEntries(
      (await next.call(routes.listRuns)).map(({ run, state }) => [run, state]),
    ) as object
  expect(await states()).toMatchObject({
    [replying.run]: 'interrupted',
    [working.run]: 'interrupted',
    [finished.run]: 'finished',
  })
  await next.resumeRuns()
  expect(next.errors.map((error) => (error as { code?: string }).code)).toEqual([
    'folder_not_found',
  ])
  ;(next.errors as unknown[]).length = 0

  const replied = await next.ended(replying.run)
  expect(replied.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer', text: 'Done.' })
  const worked = await next.ended(working.run)
  expect(worked.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('x\n')
  const ends = worked.filter((event) => event.type === 'tool-end')
  expect(ends).toMatchObject([{ outcome: { status: 'unknown' } }])
  expect(JSON.stringify(ends)).toMatch(/interrupted|stopped|not known|unknown/)

  // The request is still pending, under the same key.
  const [again] = await next.waiting(asking.run)
  expect(again!.key).toBe(asked!.key)
  await next.approveAll(asking.run)
  await next.ended(asking.run)
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('text')

  // The call would have another effect now, so it needs a new answer.
  const [other] = await until(
    () => next.waiting(changing.run),
    ([each]) => each?.key !== changed!.key,
  )
  expect(
    await next.problem(routes.approveCall, {
      parameters: { run: changing.run },
      body: { key: changed!.key },
    }),
  ).toMatchObject({ status: 409, code: 'not_pending' })
  await next.call(routes.approveCall, {
    parameters: { run: changing.run },
    body: { key: other!.key },
  })
  await next.ended(changing.run)
  expect(readFileSync(join(folder, 'two/new.txt'), 'utf8')).toBe('text')
  for (const { run } of [replying, working, asking, changing]) {
    const events = await recorded(next, run)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(events.filter(({ type }) => type === 'run-end')).toHaveLength(1)
  }
  expect(client.model.requests.length).toBe(requests + 4)
})

test('ignores old and imported runs, and runs with other owners', async () => {
  const client = await runClient(obedient)
  const { run } = await client.start('Say something.')
  await client.ended(run)
  const journal = openJournal(userDirectories({ HOME: client.home }))
  const [first, ...rest] = (await journal.read(run)).filter(({ key }) => !key.startsWith('end/'))
  const day = 24 * 60 * 60_000
  const add = async (
    id: string,
    owner: string | undefined,
    { age = 0, imported = false } = {},
  ): Promise<void> => {
    const records = [{ ...first!, value: { ...Object(first!.value), owner } }, ...rest]
    const time = Date.now() - age
    await journal.add({ run: id, imported, records: records.map((each) => ({ ...each, time })) })
  }
  await add('run-recent', 'http:all', { age: day - 60_000 })
  await add('run-old', 'http:all', { age: day + 60_000 })
  await add('run-imported', 'http:all', { imported: true })
  await add('run-others', 'cli')
  await add('run-nobodys', undefined)
  await journal.close()
  const next = await client.again()
  await next.resumeRuns()
  await next.ended('run-recent')
  const all = await next.call(routes.listRuns)
  expect(Object.fromEntries(all.map((each) => [each.run, each.state]))).toEqual({
    [run]: 'finished',
    'run-recent': 'finished',
    'run-old': 'interrupted',
    'run-imported': 'interrupted',
    'run-others': 'interrupted',
    'run-nobodys': 'interrupted',
  })
  expect(client.errors).toEqual([])
})

test("does not continue a person's run automatically after a call that may have changed something", async () => {
  const client = await runClient(obedient)
  const { run } = await client.start(bash('echo x >> log'))
  await client.approveAll(run)
  await client.ended(run)
  const journal = openJournal(userDirectories({ HOME: client.home }))
  const records = await journal.read(run)
  const begun = records.findIndex(({ key }) => key === 'turn/0/call/0')
  expect(begun, records.map(({ key }) => key).join()).toBeGreaterThan(0)
  const add = async (id: string, owner: string, count: number): Promise<void> => {
    const [first, ...rest] = records.slice(0, count)
    const time = Date.now()
    const all = [{ ...first!, value: { ...Object(first!.value), owner } }, ...rest]
    await journal.add({
      run: id,
      imported: false,
      records: all.map((each) => ({ ...each, time })),
    })
  }
  await add('run-person', 'page:all', begun + 1)
  await add('run-program', 'http:all', begun + 1)
  await journal.close()
  const next = await client.again()
  await next.resumeRuns()
  await next.ended('run-program')
  const state = async (): Promise<string> =>
    (await next.call(routes.showRun, { parameters: { run: 'run-person' } })).summary.state
  expect(await state()).toBe('interrupted')
  // A person continues the run.
  await next.call(routes.resumeRun, { parameters: { run: 'run-person' }, body: {} })
  const events = await next.ended('run-person')
  expect(events.filter((event) => event.type === 'tool-end')).toMatchObject([
    { outcome: { status: 'unknown', mayHaveChanged: true } },
  ])
  expect(readFileSync(join(client.folder, 'log'), 'utf8')).toBe('x\n')
})

test('starts no run while stopping', async () => {
  const client = await runClient(obedient)
  const { run } = await client.start('Say something.')
  await client.ended(run)
  await client.close()
  const problem = await client.problem(routes.startRun, {
    body: { prompt: 'x', model: client.model.reference() },
  })
  expect(problem).toMatchObject({ status: 503, action: expect.any(String) as string })
  expect(client.model.requests).toHaveLength(1)
})

test.each(share(['resume', 'fork'] as const, 2))(
  'keeps rules, a mode and limits that were set with a %s',
  async (way) => {
    let hangs = true
    const client = await runClient((messages, turn) => {
      const isSlow = messages.at(-1)?.content.startsWith('SLOW') && hangs
      return isSlow ? { hang: 'I begin ' } : obedient(messages, turn)
    })
    const { run: source } = await client.start('Say something.', {
      permissions: { allow: ['Write'] },
    })
    await client.ended(source)
    const { run } = await client.call(way === 'fork' ? routes.forkRun : routes.resumeRun, {
      parameters: { run: source },
      body: {
        prompt: `SLOW\n${write('new.txt')}`,
        permissions: { deny: ['Write'], mode: 'plan' },
        limits: { maxIterations: 7 },
      },
    })
    await until(
      async () => client.model.requests,
      (all) => all.some((messages) => messages.at(-1)?.content.startsWith('SLOW')),
    )
    const next = await client.again()
    hangs = false
    await next.resumeRuns()
    const events = await next.ended(run)
    expect(existsSync(join(client.folder, 'new.txt'))).toBe(false)
    expect(events.filter(({ type }) => type === 'run-start').at(-1)).toMatchObject({
      limits: { maxIterations: 7 },
      permissions: { mode: 'plan', given: { allow: ['Write'], deny: ['Write'] } },
    })
    expect(events.filter(({ type }) => type === 'tool-end')).toMatchObject([
      { outcome: { status: 'denied' } },
    ])
  },
)

test('continues a run without a process after an answer', async () => {
  const client = await runClient(obedient)
  const { run } = await client.start(write('new.txt'))
  await client.waiting(run)
  // The next server does not resume it automatically.
  const next = await client.again()
  await next.approveAll(run)
  await until(
    () => next.call(routes.showRun, { parameters: { run } }),
    ({ summary }) => summary.state === 'finished',
  )
  expect(existsSync(join(client.folder, 'new.txt'))).toBe(true)
})

/**
 * An MCP server that never answers: the tools are still opening when the connection is abandoned.
 */
const slow = { mcpServers: { slow: { command: 'sleep', args: ['0.7'] } } }

longTest(
  'a continued run is locked from the start: it can be stopped, but not deleted',
  async () => {
    const client = await runClient(obedient, { settings: slow })
    const { run } = await client.start(write('new.txt'))
    await client.waiting(run)
    const next = await client.again()
    const going = next.resumeRuns()
    await until(
      () => next.call(routes.showRun, { parameters: { run } }),
      ({ active }) => active,
    )
    expect(await next.problem(routes.removeRun, { parameters: { run } })).toMatchObject({
      code: 'run_busy',
    })
    await next.call(routes.stopRun, { parameters: { run } })
    await going
    await next.ended(run)
    const { summary } = await next.call(routes.showRun, { parameters: { run } })
    expect(summary).toMatchObject({ state: 'finished', reason: 'cancelled' })
  },
)

test("does not pass the server's options to its runs", async () => {
  const client = await runClient(obedient, {
    settings: { permissions: { allow: ['Bash(ls)'] } },
  })
  const { run } = await client.start('Say something.', { permissions: { mode: 'acceptEdits' } })
  await client.ended(run)
  const [started] = await recorded(client, run)
  expect(started).toMatchObject({
    permissions: { given: { mode: 'acceptEdits', allow: [], ask: [], deny: [] } },
  })
  // The mode was set for the run, and still applies.
  const next = await client.again()
  await next.call(routes.resumeRun, {
    parameters: { run },
    body: { prompt: write('new.txt') },
  })
  await next.ended(run)
  expect(existsSync(join(client.folder, 'new.txt'))).toBe(true)
})
