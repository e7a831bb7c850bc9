import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal, PendingRequest } from '@toolglot/agent/journal'
import { openJournal, userDirectories } from '@toolglot/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { bash, obedient, read, write } from '../../test/obedient-model.ts'
import { runClient } from '../../test/run-client.ts'
import { call, type Script } from '../../test/scripted-upstream.ts'
import * as routes from '../api/routes/index.ts'
import { createApprovals } from './approvals.ts'
import type { Executions } from './executions.ts'
import { until } from '../../../../tests/helpers/until.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

/** A model that writes all of these calls in one reply, and then finishes. */
const writes =
  (...calls: string[]): Script =>
  (_, turn) =>
    turn === 0 ? calls.join('\n') : 'Done.'

const file = (name: string): string => call('Write', { file_path: name, content: 'text' })

/** Yields the messages of a stream. */
async function* messagesOf(response: Response): AsyncGenerator<unknown, void> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts)
      if (part.startsWith('data: ')) yield JSON.parse(part.slice('data: '.length)) as unknown
  }
}

test('calls can be answered in any order, the model gets the reason, and only the first answer is used', async () => {
  const client = await runClient(writes(file('a.txt'), file('b.txt'), file('c.txt')))
  const { run } = await client.start('Go.')
  const parameters = { run }
  const waiting = await client.waiting(run, 3)
  const keyOf = (name: string): string =>
    waiting.find(({ args }) => args['file_path'] === name)!.key
  await client.call(routes.approveCall, { parameters, body: { key: keyOf('c.txt') } })
  const reason = 'Not this one, please.'
  await client.call(routes.denyCall, { parameters, body: { key: keyOf('a.txt'), reason } })
  for (const endpoint of [routes.approveCall, routes.denyCall])
    expect(
      await client.problem(endpoint, { parameters, body: { key: keyOf('a.txt') } }),
    ).toMatchObject({ status: 409, code: 'not_pending' })
  await client.call(routes.approveCall, { parameters, body: { key: keyOf('b.txt') } })
  await client.ended(run)
  expect(['a', 'b', 'c'].map((name) => existsSync(join(client.folder, `${name}.txt`)))).toEqual([
    false,
    true,
    true,
  ])
  expect(client.model.requests.at(-1)?.at(-1)?.content).toContain(reason)
})

test('one of two simultaneous answers is used, and the other fails', async () => {
  const client = await runClient(writes(file('a.txt')))
  const { run } = await client.start('Go.')
  const [asked] = await client.waiting(run)
  const input = { parameters: { run }, body: { key: asked!.key } }
  const responses = await Promise.all([
    client.send(routes.approveCall, input),
    client.send(routes.denyCall, input),
    client.send(routes.approveCall, input),
  ])
  expect(responses.map(({ status }) => String(status)).sort()).toEqual(['204', '409', '409'])
  await client.ended(run)
  expect(existsSync(join(client.folder, 'a.txt'))).toBe(responses[1]!.status !== 204)
})

test('a pending request contains the command to run, with the files that match patterns', async () => {
  const client = await runClient(obedient, { files: { 'a.log': '', 'b c.log': '' } })
  const runs = "'rm' 'a.log' 'b c.log'"
  const { run } = await client.start(bash('rm *.log'))
  expect(await client.waiting(run)).toMatchObject([{ runs }])
  expect(await client.call(routes.listApprovals)).toMatchObject([{ run, runs }])
  expect(await client.call(routes.showRun, { parameters: { run } })).toMatchObject({
    waiting: [{ runs }],
  })
  await client.call(routes.stopRun, { parameters: { run } })
  await client.ended(run)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  await messagesOf(await client.send(routes.followApprovals, { signal: stop.signal })).next()
  const body = { tool_name: 'bash', arguments: { command: 'rm *.log' } }
  const response = await client.send(routes.executeTool, { body })
  expect(await response.json()).toMatchObject({ approval: { request: { runs } } })
})

longTest('"always" for the run applies only to that run', async () => {
  const client = await runClient(obedient)
  const prompt = [write('a.txt', '1'), write('a.txt', '2')].join('\n')
  const { run } = await client.start(prompt)
  const [asked] = await client.waiting(run)
  await client.call(routes.approveCall, {
    parameters: { run },
    body: { key: asked!.key, always: 'run' },
  })
  await client.ended(run)
  expect(readFileSync(join(client.folder, 'a.txt'), 'utf8')).toBe('2')
  const other = await client.start(write('a.txt', '3'))
  await client.waiting(other.run)
  await client.call(routes.stopRun, { parameters: { run: other.run } })
  await client.ended(other.run)
})

test('"always" for the user changes their settings, and applies to the next run', async () => {
  const client = await runClient(obedient)
  const { run } = await client.start(write('a.txt'))
  const [asked] = await client.waiting(run)
  const [{ rule }] = (asked as Extract<PendingRequest, { type: 'approval' }>)
    .suggestions as unknown as [{ rule: string }]
  await client.call(routes.approveCall, {
    parameters: { run },
    body: { key: asked!.key, always: 'user' },
  })
  await client.ended(run)
  const settings = readFileSync(join(client.home, '.config/toolglot/settings.json'), 'utf8')
  expect(settings).toContain(JSON.stringify(rule))
  const next = await client.start([read('a.txt'), write('a.txt', '2')].join('\n'))
  await client.ended(next.run)
  expect(readFileSync(join(client.folder, 'a.txt'), 'utf8')).toBe('2')
})

test('"always" for the folder requires a trusted one, which remains trusted', async () => {
  const client = await runClient(obedient, { files: { '.git/HEAD': '' } })
  const { run } = await client.start(write('a.txt'))
  const [asked] = await client.waiting(run)
  const input = { parameters: { run }, body: { key: asked!.key, always: 'folder' } }
  const local = join(client.folder, '.toolglot/settings.local.json')
  expect(await client.problem(routes.approveCall, input)).toMatchObject({
    status: 422,
    action: expect.stringContaining('Trust') as string,
  })
  expect([existsSync(local), (await client.waiting(run))[0]?.key]).toEqual([false, asked!.key])
  await client.trust()
  await client.call(routes.approveCall, input)
  await client.ended(run)
  expect(existsSync(local)).toBe(true)
  const next = await client.start([read('a.txt'), write('a.txt', '2')].join('\n'))
  expect(next.warnings).toEqual([])
  await client.ended(next.run)
  expect(readFileSync(join(client.folder, 'a.txt'), 'utf8')).toBe('2')
})

test('"always" is refused if no rule can allow the call', async () => {
  const client = await runClient(obedient)
  const { run } = await client.start(bash('$UNKNOWN a.txt'))
  const [asked] = await client.waiting(run)
  const parameters = { run }
  const problem = await client.problem(routes.approveCall, {
    parameters,
    body: { key: asked!.key, always: 'user' },
  })
  expect(problem).toMatchObject({
    status: 422,
    action: expect.stringContaining('always') as string,
  })
  await client.call(routes.denyCall, { parameters, body: { key: asked!.key } })
  await client.ended(run)
})

test('questions are answered together, by their text', async () => {
  const question = (text: string): object => ({
    question: text,
    header: 'Colour',
    options: [
      { label: 'Red', description: 'Like a rose.' },
      { label: 'Blue', description: 'Like the sky.' },
    ],
    multiSelect: text.startsWith('Which'),
  })
  const questions = [question('What colour?'), question('Which others?')]
  const client = await runClient(writes(call('AskUserQuestion', { questions })))
  const { run } = await client.start('Go.')
  const parameters = { run }
  const [asked] = await client.waiting(run)
  expect(asked).toMatchObject({ type: 'question', questions })
  const { key } = asked!
  const both = { 'What colour?': 'Red', 'Which others?': ['Blue'] }
  const refused: [object, number][] = [
    [{ 'What colour?': 'Red' }, 422],
    [{ ...both, 'Who?': 'Me' }, 422],
    [{}, 422],
    [{ ...both, 'What colour?': 1 }, 400],
    [{ ...both, 'What colour?': null }, 400],
    [{ ...both, 'What colour?': [['Red']] }, 400],
  ]
  for (const [answers, status] of refused) {
    const problem = await client.problem(routes.answerQuestions, {
      parameters,
      body: { key, answers },
    })
    expect([answers, problem.status, typeof problem.action]).toEqual([answers, status, 'string'])
  }
  for (const endpoint of [routes.approveCall, routes.denyCall])
    expect(await client.problem(endpoint, { parameters, body: { key } })).toMatchObject({
      status: 422,
      action: 'Answer them.',
    })
  await client.call(routes.answerQuestions, { parameters, body: { key, answers: both } })
  await client.ended(run)
  const told = client.model.requests.at(-1)!.at(-1)!.content
  expect(told).toContain('Red')
  expect(told).toContain('Blue')
})

test('the stream has the pending requests, whoever answers', async () => {
  const client = await runClient(writes(file('a.txt'), file('b.txt')))
  const stop = new AbortController()
  const response = await client.send(routes.followApprovals, { signal: stop.signal })
  const lists = messagesOf(response) as AsyncGenerator<readonly PendingRequest[], void>
  const next = async (count: number): Promise<readonly PendingRequest[]> => {
    for (;;) {
      const { value } = await lists.next()
      if (value?.length === count) return value
    }
  }
  expect(await next(0)).toEqual([])
  const { run } = await client.start('Go.')
  const [first, second] = await next(2)
  const other = openJournal(userDirectories({ HOME: client.home }))
  onTestFinished(() => other.close())
  await other.answer(run, first!.key, { verdict: 'deny' })
  expect((await next(1))[0]!.key).toBe(second!.key)
  await client.call(routes.approveCall, { parameters: { run }, body: { key: second!.key } })
  expect(await next(0)).toEqual([])
  await client.ended(run)
  stop.abort()
  await lists.return()
})

longTest('shows a pending call as a diff if possible', async () => {
  const client = await runClient(obedient, { files: { 'a.txt': 'one\n' } })
  const { run } = await client.start([read('a.txt'), write('a.txt', 'two\n')].join('\n'))
  const [asked] = await client.waiting(run)
  const parameters = { run }
  const { diff } = await client.call(routes.previewCall, { parameters, query: { key: asked!.key } })
  expect(diff).toContain('-one')
  expect(diff).toContain('+two')
  expect(await client.call(routes.previewCall, { parameters, query: { key: 'x' } })).toEqual({})
  await client.call(routes.stopRun, { parameters })
  await client.ended(run)
})

test('an execution waits only if an approver is present, and is answered like a run', async () => {
  const client = await runClient(obedient)
  const execute = (name: string, more = {}): Promise<Response> =>
    client.send(routes.executeTool, {
      body: { tool_name: 'Write', arguments: { file_path: name, content: 'x' } },
      ...more,
    })
  expect((await execute('a.txt')).status).toBe(403)
  const stop = new AbortController()
  const stream = await client.send(routes.followApprovals, { signal: stop.signal })
  const lists = messagesOf(stream)
  await lists.next()
  const response = await execute('a.txt')
  expect(response.status).toBe(202)
  const { approval } = (await response.json()) as {
    approval: { id: string; request: PendingRequest }
  }
  const { id, request } = approval
  expect(await client.call(routes.listApprovals)).toMatchObject([{ run: id, key: request.key }])
  const untrusted = { key: request.key, always: 'folder' }
  expect(
    await client.problem(routes.approveCall, { parameters: { run: id }, body: untrusted }),
  ).toMatchObject({ status: 422 })
  expect(existsSync(join(client.folder, 'a.txt'))).toBe(false)
  await client.call(routes.approveCall, { parameters: { run: id }, body: { key: request.key } })
  expect(
    await client.call(routes.showExecution, { parameters: { id }, query: { wait: '10' } }),
  ).toMatchObject({ success: true })
  expect(readFileSync(join(client.folder, 'a.txt'), 'utf8')).toBe('x')
  expect(
    await client.problem(routes.approveCall, {
      parameters: { run: id },
      body: { key: request.key },
    }),
  ).toMatchObject({ code: 'not_pending' })
  // A stopped execution never runs.
  const stopped = (await (await execute('b.txt')).json()) as { approval: { id: string } }
  await client.call(routes.stopExecution, { parameters: { id: stopped.approval.id } })
  const result = await client.call(routes.showExecution, {
    parameters: { id: stopped.approval.id },
    query: { wait: '10' },
  })
  expect(result.success).toBe(false)
  expect(await client.call(routes.listApprovals)).toEqual([])
  expect(existsSync(join(client.folder, 'b.txt'))).toBe(false)
  stop.abort()
  await lists.return()
})

test('changes of executions can be listed and undone in any folder, but not during one', async () => {
  const client = await runClient(obedient)
  const other = folderOf()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const lists = messagesOf(await client.send(routes.followApprovals, { signal: stop.signal }))
  await lists.next()
  const made = join(other, 'a.txt')
  const response = await client.send(routes.executeTool, {
    body: {
      tool_name: 'Write',
      arguments: { file_path: made, content: 'x' },
      folder: other,
      run: 'one',
    },
  })
  const { approval } = (await response.json()) as {
    approval: { id: string; request: PendingRequest }
  }
  const { id, request } = approval
  const parameters = { run: 'exec-one' }
  for (const run of ['exec-one', id])
    expect(await client.problem(routes.undoRun, { parameters: { run } })).toMatchObject({
      code: 'run_busy',
      action: expect.stringContaining('DELETE') as string,
    })
  await client.call(routes.approveCall, { parameters: { run: id }, body: { key: request.key } })
  await client.call(routes.showExecution, { parameters: { id }, query: { wait: '10' } })
  // Loads no user code, so broken code doesn't matter.
  mkdirSync(join(client.home, '.config/toolglot'), { recursive: true })
  writeFileSync(
    join(client.home, '.config/toolglot/settings.json'),
    '{ "tools": ["/no/such.mjs"] }',
  )
  expect(await client.call(routes.listChanges, { parameters })).toMatchObject([{ path: made }])
  expect(await client.call(routes.undoRun, { parameters })).toEqual([
    { path: made, status: 'removed' },
  ])
  expect(existsSync(made)).toBe(false)
  expect(await client.call(routes.listChanges, { parameters })).toEqual([])
  stop.abort()
  await lists.return()
})

longTest('finds the pending requests of a run without reading other runs', async () => {
  const asked: unknown[] = []
  const fakeJournal = {
    waiting: async (options: unknown) => {
      asked.push(options)
      return []
    },
  } as unknown as Journal
  const waiting = [{ run: 'exec-1' }, { run: 'exec-2' }] as unknown as readonly PendingRequest[]
  const fakeExecutions = { waiting: () => waiting } as Executions
  const approvals = createApprovals({
    journal: fakeJournal,
    executions: () => fakeExecutions,
    onAnswer: () => {},
    onError: () => {},
  })
  expect(await approvals.list('exec-2')).toEqual([{ run: 'exec-2' }])
  expect(await approvals.list()).toHaveLength(2)
  expect(asked).toEqual([{ run: 'exec-2' }, {}])
})

test('a call stops when its client disconnects, even immediately', async () => {
  const client = await runClient(obedient, {
    settings: { permissions: { allow: ['Bash(sleep *)'] } },
  })
  const gone = new AbortController()
  const body = { tool_name: 'Bash', arguments: { command: 'sleep 60' } }
  const asking = client.send(routes.executeTool, { body, signal: gone.signal })
  gone.abort()
  expect(((await (await asking).json()) as { success: boolean }).success).toBe(false)
  await until(
    () => client.call(routes.listApprovals),
    (all) => all.length === 0,
  )
})
