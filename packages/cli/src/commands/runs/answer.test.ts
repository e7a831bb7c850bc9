import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PendingRequest } from '@toolglot/agent/journal'
import { type Household, household } from '../../../test/household.ts'
import { calling, talkingServer } from '../../../test/talking-server.ts'
import { longDescribe, longTest } from '../../../../../tests/helpers/size.ts'

const write = (name: string): string => calling('Write', { file_path: name, content: `${name}\n` })
const both = `${write('a.txt')}\n${write('b.txt')}`

type Listed = PendingRequest & { readonly number: number; readonly name?: string }

async function waiting({ start }: Household, ...words: string[]): Promise<Listed[]> {
  return JSON.parse((await start(['runs', 'waiting', '--json', ...words])).output) as Listed[]
}

/**
 * Starts a run, in another process if requested, and waits until it has sent a number of requests.
 */
async function attended(
  place: Household,
  model: string,
  requests = 1,
  begin: Household['begin'] = place.begin,
): Promise<ReturnType<Household['begin']>> {
  const run = begin(['run', '-m', model, '--attended', 'Go.'])
  await run.until(new RegExp(`(To answer: [^]*){${requests}}`))
  return run
}

longTest(
  'the approver sees the files that match a pattern, and the command gets exactly those',
  async () => {
    const { model } = await talkingServer(calling('Bash', { command: 'rm *.log' }), 'Removed.')
    const place = household()
    const { start, cwd } = place
    for (const name of ['a.log', 'b c.log', 'notes.txt']) writeFileSync(join(cwd, name), '')
    const run = await attended(place, model, 1, place.spawn)
    const line = "? rm a.log 'b c.log'\n"
    expect(run.errors()).toContain(line)
    expect(await waiting(place)).toMatchObject([{ runs: "'rm' 'a.log' 'b c.log'" }])
    expect((await start(['runs', 'waiting'])).output).toContain(line)
    expect(await start(['runs', 'answer', 'last', 'allow'])).toMatchObject({ code: 0 })
    expect(await run.ended()).toBe(0)
    expect(['a.log', 'b c.log', 'notes.txt'].filter((name) => existsSync(join(cwd, name)))).toEqual(
      ['notes.txt'],
    )
  },
)

longTest('requests can be answered in any order, with stable numbers', async () => {
  const { model, messages } = await talkingServer(both, 'Done.')
  const place = household()
  const { start, cwd } = place
  const run = await attended(place, model, 2)
  const unclear = await start(['runs', 'answer', 'last', 'allow'])
  expect(unclear.code).toBe(1)
  expect(unclear.errors).toMatch(/Choose one of 1, 2; nothing was changed/)
  expect(await waiting(place)).toHaveLength(2)
  const denied = await start(['runs', 'answer', 'last', '2', 'deny', '--reason', 'not b'])
  expect(denied).toMatchObject({ code: 0 })
  expect(denied.output).toMatch(
    /^Denied: → Write b\.txt\n1 more request is pending: toolglot runs waiting/,
  )
  const again = await start(['runs', 'answer', 'last', '2', 'allow'])
  expect(again.code).toBe(1)
  expect(again.errors).toMatch(/isn't waiting for '2', but for 1; nothing was changed/)
  const [{ key }] = (await waiting(place)) as [Listed]
  const startOfKey = key.slice(0, 13)
  expect(await start(['runs', 'answer', 'last', startOfKey, 'allow'])).toMatchObject({ code: 0 })
  expect(await run.ended()).toBe(0)
  expect([existsSync(join(cwd, 'a.txt')), existsSync(join(cwd, 'b.txt'))]).toEqual([true, false])
  expect(messages(1).at(-1)!.content).toContain('The user says: not b')
})

longTest.each([
  ['run', false],
  ['user', true],
] as const)('the process that executes the run applies --always %s', async (where, isStored) => {
  const change = calling('Write', { file_path: 'a.txt', content: 'changed\n' })
  const { model } = await talkingServer(write('a.txt'), change, 'Done.')
  const place = household()
  const { start, cwd, home } = place
  const run = await attended(place, model, 1, place.spawn)
  const answered = await start(['runs', 'answer', 'last', 'allow', '--always', where])
  expect(answered).toMatchObject({ code: 0 })
  // The second call needs no approval.
  expect(await run.ended()).toBe(0)
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('changed\n')
  const settings = join(home, '.config/toolglot/settings.json')
  expect(existsSync(settings)).toBe(isStored)
  if (isStored) expect(readFileSync(settings, 'utf8')).toContain(join(cwd, 'a.txt'))
})

longTest('rules for an untrusted folder apply only to the run, with a notice', async () => {
  const change = calling('Write', { file_path: 'a.txt', content: 'changed\n' })
  const { model } = await talkingServer(write('a.txt'), change, 'Done.')
  const place = household()
  const run = await attended(place, model)
  await place.start(['runs', 'answer', 'last', 'allow', '--always', 'folder'])
  expect(await run.ended()).toBe(0)
  expect(run.errors()).toContain('warning: The permission is valid for this run only')
  expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('changed\n')
  expect(existsSync(join(place.cwd, '.toolglot'))).toBe(false)
})

longTest('refuses --always without a rule, and changes nothing', async () => {
  const { model } = await talkingServer(calling('Bash', { command: 'sudo ls' }), 'Done.')
  const place = household()
  const run = await attended(place, model)
  const { code, errors } = await place.start([
    'runs',
    'answer',
    'last',
    'allow',
    '--always',
    'user',
  ])
  expect(code).toBe(1)
  expect(errors).toMatch(/No rule can allow this call of Bash.*nothing was changed/)
  expect(await waiting(place)).toHaveLength(1)
  await place.start(['runs', 'answer', 'last', 'deny'])
  expect(await run.ended()).toBe(0)
})

longDescribe('at a terminal', () => {
  test('shows the whole call and asks about it, and leaves the rest unanswered', async () => {
    const { model } = await talkingServer(both, 'Done.')
    const place = household()
    const { start } = place
    const run = await attended(place, model, 2)
    const { code, errors } = await start(['runs', 'answer', 'last'], { answer: ['maybe', 'y'] })
    expect(code).toBe(0)
    expect(errors).toMatch(/^→ Write a\.txt\n[^]*"content": "a\.txt\\n"[^]*Always: a in this run/)
    expect(errors).toContain('Please type y, n, a, f, u or s')
    expect(errors).toMatch(/→ Write b\.txt\n[^]*Not answered; nothing was changed\.\n$/)
    expect(await waiting(place)).toMatchObject([{ number: 2 }])
    await start(['runs', 'answer', 'last', '2'], { answer: 's' })
    expect(await run.ended()).toBe(1)
    expect(run.errors()).toContain('denied: The user stopped the run.')
  })
})

describe('questions', () => {
  const options = [
    { label: 'Tea', description: 'It is quiet.' },
    { label: 'Coffee', description: 'It is loud.' },
  ]
  const one = { question: 'Which drink?', header: 'Drink', options, multiSelect: false }
  const other = {
    question: 'With what?',
    header: 'With',
    options: [
      { label: 'Milk', description: 'White' },
      { label: 'Sugar', description: 'Sweet' },
    ],
    multiSelect: true,
  }
  const asks = (...questions: object[]): string => calling('AskUserQuestion', { questions })

  test('are answered by text or header, with a label, a number or free text', async () => {
    const { model, messages } = await talkingServer(asks(one, other), 'Thanks.')
    const place = household()
    const { start } = place
    const run = await attended(place, model)
    expect(await waiting(place)).toMatchObject([{ type: 'question', questions: [one, other] }])
    const refused = [
      ['allow'],
      ['--answer', 'Tea'],
      ['--answer', 'Drink=Tea'],
      ['--answer', 'Drink=3', '--answer', 'With=1'],
      ['--answer', 'Drink=Tea', '--answer', 'Drink=Coffee', '--answer', 'With=1'],
      ['--answer', 'Drnik=Tea', '--answer', 'With=1'],
    ]
    for (const words of refused) {
      const { code, errors } = await start(['runs', 'answer', 'last', ...words])
      expect({ words, code }).toEqual({ words, code: 1 })
      expect(errors).toContain('nothing was changed')
    }
    const words = [
      '--answer',
      'Which drink?=Coffee',
      '--answer',
      'With=2',
      '--answer',
      'With=a spoon',
    ]
    const answered = await start(['runs', 'answer', 'last', '1', ...words])
    expect(answered).toMatchObject({ code: 0, output: 'Answered: → AskUserQuestion\n' })
    expect(await run.ended()).toBe(0)
    const { content } = messages(1).at(-1)!
    expect(content).toMatch(/Which drink\?\n→ Coffee\n[^]*With what\?\n→ Sugar, a spoon/)
  })

  longTest('are asked at a terminal', async () => {
    const { model, messages } = await talkingServer(asks(one), 'Thanks.')
    const place = household()
    const run = await attended(place, model)
    const { errors } = await place.start(['runs', 'answer', 'last'], { answer: ['2'] })
    expect(errors).toMatch(/\? Drink {2}Which drink\?\n +1 +Tea +It is quiet\./)
    expect(await run.ended()).toBe(0)
    expect(messages(1).at(-1)!.content).toContain('→ Coffee')
  })

  longTest('a single one is answered without its name', async () => {
    const { model, messages } = await talkingServer(asks(one), 'Thanks.')
    const place = household()
    const run = await attended(place, model)
    const unclear = await place.start(['runs', 'answer', 'last', '--answer', 'Drnik=Tea'])
    expect(unclear).toMatchObject({ code: 1 })
    await place.start(['runs', 'answer', 'last', '--answer', 'Tea'])
    expect(await run.ended()).toBe(0)
    expect(messages(1).at(-1)!.content).toContain('→ Tea')
  })
})

longTest('a suspended run exits with 3, and continues after the answer', async () => {
  const { model, requests } = await talkingServer(write('a.txt'), 'Written.')
  const place = household()
  const { start, cwd } = place
  const run = place.spawn(['run', '-m', model, '--suspend', 'Go.'])
  expect(await run.ended()).toBe(3)
  expect(run.output()).toBe('')
  const [, id = ''] = /toolglot runs answer (run-\w+) 1 allow/.exec(run.errors()) ?? []
  expect(run.errors()).toContain(
    `suspended: the run is waiting for an answer: toolglot runs waiting ${id}\n`,
  )
  expect(run.errors()).toContain(`To continue then: toolglot run --resume ${id} --model ${model}`)
  const resume = ['run', '-m', model, '--suspend', '--resume', id]
  expect(await start(resume)).toMatchObject({ code: 3 })
  const answered = await start(['runs', 'answer', id, 'allow'])
  expect(answered.output).toContain(`To continue it: toolglot run --resume ${id}\n`)
  expect(requests).toHaveLength(1)
  expect(await start(resume)).toMatchObject({ code: 0, output: 'Written.\n' })
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('a.txt\n')
})

longTest('an answer counts even without --suspend and an interactive user', async () => {
  const { model } = await talkingServer(write('a.txt'), write('b.txt'), 'Written.')
  const { start, cwd } = household()
  const resume = ['run', '-m', model, '--resume', 'last']
  await start(['run', '-m', model, '--suspend', 'Go.'])
  await start(['runs', 'answer', 'last', 'allow'])
  // The second call also needs approval.
  expect(await start(resume)).toMatchObject({ code: 3 })
  await start(['runs', 'answer', 'last', 'allow'])
  expect(await start(resume)).toMatchObject({ code: 0, output: 'Written.\n' })
  expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b.txt\n')
})

longTest('--json of a suspended run ends with the pending requests', async () => {
  const { model } = await talkingServer(write('a.txt'), 'Written.')
  const place = household()
  const { code, output } = await place.start(['run', '--json', '-m', model, '--suspend', 'Go.'])
  expect(code).toBe(3)
  const last: unknown = JSON.parse(output.trimEnd().split('\n').at(-1)!)
  const [{ key }] = (await waiting(place)) as [Listed]
  expect(last).toMatchObject({ type: 'run-end', reason: 'interrupted', pending: [key] })
})

longTest.each([
  [['last', '1', 'alow'], "'alow' is neither allow nor deny"],
  [['last', 'deny', '--always', 'run'], '--always requires allow'],
  [['last', 'allow', '--reason', 'x'], '--reason requires deny'],
  [['last', 'allow', '--answer', 'x'], 'Choose --answer, or allow or deny, not both'],
  [['last'], 'no terminal to ask on'],
])('wrong usage: %j', async (words, message) => {
  const place = household()
  const { model } = await talkingServer(write('a.txt'))
  await place.start(['run', '-m', model, '--suspend', 'Go.'])
  const { code, errors } = await place.start(['runs', 'answer', ...words])
  expect(code).toBe(2)
  expect(errors).toContain(message)
  expect(await waiting(place)).toHaveLength(1)
})

longTest.each([
  [['nothing', 'allow'], "No run named 'nothing'"],
  [['last', 'allow'], "isn't waiting for an answer"],
])('nothing to answer: %j', async (words, message) => {
  const place = household()
  await place.start(['run', '-m', 'script', 'Find *'])
  const { code, errors } = await place.start(['runs', 'answer', ...words])
  expect(code).toBe(1)
  expect(errors).toContain(message)
})
