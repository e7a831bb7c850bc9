import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunSummary } from '@toolglot/agent/journal'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type Household, household } from '../../test/household.ts'
import { openTerminal } from '../../test/pseudo-terminal.ts'
import { calling, talkingServer } from '../../test/talking-server.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { isLong, longTest } from '../../../../tests/helpers/size.ts'

const noTerminal = await lacks('script')

const write = (name: string, content: string): string =>
  calling('Write', { file_path: name, content })

async function listed({ start }: Household): Promise<RunSummary[]> {
  return JSON.parse((await start(['runs', '--json'])).output) as RunSummary[]
}

const contents = (messages: readonly { readonly content: string }[]): string[] =>
  messages.slice(1).map(({ content }) => content)

test('a fork continues separately, and the source is unchanged', async () => {
  const { model, messages } = await talkingServer('Hello Ann.', 'Bye Ann.', 'Bye, Bob.')
  const place = household()
  const { start } = place
  await start(['run', '-m', model, 'I am Ann.'])
  await start(['run', '-m', model, '--resume', 'last', 'Goodbye.'])
  const [source] = (await listed(place)) as [RunSummary]
  const before = (await start(['replay', source.run, '--json'])).output
  const { code, output } = await start(['run', '-m', model, '--fork', 'last', 'I am Bob.'])
  expect({ code, output }).toEqual({ code: 0, output: 'Bye, Bob.\n' })
  expect(contents(messages(2))).toEqual([
    'I am Ann.',
    'Hello Ann.',
    'Goodbye.',
    'Bye Ann.',
    'I am Bob.',
  ])
  const [fork] = await listed(place)
  expect(fork).toMatchObject({ turns: 3, state: 'finished', forkOf: { run: source.run, turn: 2 } })
  expect((await start(['runs'])).output).toContain(`I am Ann. (fork of ${source.run})\n`)
  expect((await start(['replay', source.run, '--json'])).output).toBe(before)
})

test('a prompt at a turn replaces the message before it; without one, that message is resent', async () => {
  const { model, messages } = await talkingServer('Hello.', 'Bye.', 'So long.', 'Farewell.')
  const { start } = household()
  await start(['run', '-m', model, 'Hi.'])
  await start(['run', '-m', model, '--resume', 'last', 'Goodbye.'])
  await start(['runs', 'rename', 'last', 'source'])
  await start(['run', '-m', model, '--fork', 'source', '--turn', '1', 'See you.'])
  expect(contents(messages(2))).toEqual(['Hi.', 'Hello.', 'See you.'])
  const { output } = await start(['run', '-m', model, '--fork', 'source', '--turn', '1'])
  expect(output).toBe('Farewell.\n')
  expect(contents(messages(3))).toEqual(['Hi.', 'Hello.', 'Goodbye.'])
})

longTest('a fork can use another model without a question', async () => {
  const { model, messages } = await talkingServer('Hello.', 'Hello, too.')
  const { start } = household()
  await start(['run', '-m', model, 'Hi.'])
  const other = model.replace('qwen3', 'qwen2.5')
  const { code, errors } = await start(['run', '-m', other, '--fork', 'last', '--turn', '0'])
  expect(code).toBe(0)
  expect(errors).not.toContain('changed')
  expect(messages(1)).toHaveLength(2)
})

describe('the files', () => {
  const allow = ['--allow', 'Edit(**)']

  /** A run that wrote a.txt in turn 0, and changed it and wrote b.txt in turn 1. */
  async function changed(): Promise<Household & { readonly model: string }> {
    const change = `${write('a.txt', 'second\n')}\n${write('b.txt', 'b\n')}`
    const { model } = await talkingServer(write('a.txt', 'first\n'), change, 'Done.')
    const place = household()
    await place.start(['run', '-m', model, ...allow, 'Go.'])
    await place.start(['runs', 'rename', 'last', 'source'])
    return { ...place, model }
  }

  const textOf = ({ cwd }: Household, name: string): string | undefined =>
    existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : undefined

  test('are not changed by default, and that is reported', async () => {
    const place = await changed()
    const words = ['run', '-m', place.model, '--fork', 'source', '--turn', '1', 'Again.']
    const { errors } = await place.start(words)
    expect(errors).toMatch(
      /^The files were left as they are\. 2 were changed since; to undo that, add --restore-files/,
    )
    expect([textOf(place, 'a.txt'), textOf(place, 'b.txt')]).toEqual(['second\n', 'b\n'])
    const last = ['run', '-m', place.model, '--fork', 'source', 'Again.']
    expect((await place.start(last)).errors).not.toContain('files were left as they are')
  })

  test('are restored to their state before the turn', async () => {
    const place = await changed()
    const flags = ['--fork', 'source', '--turn', '1', '--restore-files']
    const { code, errors } = await place.start(['run', '-m', place.model, ...flags, 'Again.'])
    expect(code).toBe(0)
    expect(errors).toMatch(/^Undone: changes of run-\w+ in turn 1 or later\.\n/)
    expect(errors).toMatch(
      /^restored +\S+a\.txt\nremoved +\S+b\.txt$|^removed +\S+b\.txt\nrestored +\S+a\.txt$/m,
    )
    expect([textOf(place, 'a.txt'), textOf(place, 'b.txt')]).toEqual(['first\n', undefined])
    const again = await place.start(['run', '-m', place.model, ...flags, 'Again.'])
    expect(again.code).toBe(0)
    expect(again.errors).toMatch(/^Nothing to restore: Write and Edit changed no files in turn 1/)
  })

  longTest('are left unchanged if they were edited since, with the reason', async () => {
    const place = await changed()
    writeFileSync(join(place.cwd, 'a.txt'), 'mine\n')
    const flags = ['--fork', 'source', '--turn', '1', '--restore-files']
    const { code, errors } = await place.start(['run', '-m', place.model, ...flags, 'Again.'])
    expect(code).toBe(0)
    expect(errors).toMatch(/^refused +\S+a\.txt {2}\S.*$/m)
    expect(errors).toMatch(/^removed +\S+b\.txt$/m)
    expect([textOf(place, 'a.txt'), textOf(place, 'b.txt')]).toEqual(['mine\n', undefined])
  })

  longTest('are not restored from another folder, and nothing is forked', async () => {
    const place = await changed()
    const flags = ['--fork', 'source', '--turn', '1', '--restore-files']
    const where = { cwd: folderOf() }
    const { code, errors } = await place.start(
      ['run', '-m', place.model, ...flags, 'Again.'],
      where,
    )
    expect(code).toBe(1)
    expect(errors).toMatch(/The run was in .*, not in .*, so its files cannot be restored/)
    expect(textOf(place, 'a.txt')).toBe('second\n')
    expect(await listed(place)).toHaveLength(1)
  })
})

const REFUSED = [
  [['--fork', 'last', '--turn', '9'], 1, 'No turn 9: choose from 0 to 2'],
  [['--fork', 'nothing'], 1, "No run named 'nothing'"],
  [['--fork', 'last', '--turn', 'x'], 2, 'Turns are numbered from 0'],
  [['--turn', '1'], 2, '--turn requires --fork RUN'],
  [['--fork', 'last', '--restore-files'], 2, '--restore-files requires --turn NUMBER'],
  [['--fork', 'last', '--resume', 'last'], 2, 'cannot be used with'],
] as const

test('refuses invalid forks without creating a run', async () => {
  const place = household({ 'package.json': '{"version": "1.0.0"}' })
  await place.start(['run', '-m', 'script', 'What version is it?'])
  for (const [at, [words, code, message]] of REFUSED.entries()) {
    for (const command of isLong ? ['run', 'chat'] : [['run', 'chat'][at % 2]!]) {
      const result = await place.start([command, '-m', 'script', ...words], { input: 'Hi.\n' })
      expect([command, words, result.code]).toEqual([command, words, code])
      expect(result.errors).toContain(message)
    }
  }
  expect(await listed(place)).toHaveLength(1)
})

longTest('refuses an imported run', async () => {
  const one = household()
  await one.start(['run', '-m', 'script', 'Find *'])
  const { output } = await one.start(['runs', 'export', 'last'])
  const other = household()
  await other.start(['runs', 'import'], { input: output })
  const { code, errors } = await other.start(['run', '-m', 'script', '--fork', 'last', 'Find *'])
  expect(code).toBe(1)
  expect(errors).toContain('was imported, so it cannot be copied')
})

describe('in a chat', () => {
  test('--fork shows the copied turns, and the first message continues them', async () => {
    const { model, messages } = await talkingServer('Hello Ann.', 'Bye.', 'You are Bob.')
    const { start } = household()
    await start(['run', '-m', model, 'I am Ann.'])
    await start(['run', '-m', model, '--resume', 'last', 'Goodbye.'])
    const words = ['chat', '-m', model, '--fork', 'last', '--turn', '1']
    const { output } = await start(words, { input: 'Who am I?\n' })
    expect(output).toBe('› I am Ann.\n\nturn 0\nHello Ann.\nYou are Bob.\n')
    expect(contents(messages(2))).toEqual(['I am Ann.', 'Hello Ann.', 'Who am I?'])
  })

  test('/edit and /fork', async () => {
    const { model, messages } = await talkingServer('One.', 'Two.', 'Three.', 'Four.', 'Five.')
    const place = household()
    const lines = [
      '/edit',
      '/fork',
      'a',
      'b',
      '/edit B',
      '/fork 0',
      'A',
      '/fork',
      'c',
      '/fork x',
      '/fork 99',
    ]
    const { output, errors } = await place.start(['chat', '-m', model], {
      input: lines.map((line) => `${line}\n`).join(''),
    })
    expect(output).toBe('One.\nTwo.\nThree.\nFour.\nFive.\n')
    expect(errors).toContain('There is no message to edit yet.')
    expect(errors).toContain('There is nothing to copy yet.')
    expect(errors).toContain("error: 'x' is not the number of a turn")
    expect(errors).toContain('error: No turn 99: choose from 0 to 2')
    expect([0, 1, 2, 3, 4].map((at) => contents(messages(at)))).toEqual([
      ['a'],
      ['a', 'One.', 'b'],
      ['a', 'One.', 'B'],
      ['A'],
      ['A', 'Four.', 'c'],
    ])
    expect(await listed(place)).toHaveLength(4)
  })

  longTest.skipIf(noTerminal)(
    '/edit puts the last message in the prompt, and offers to undo its changes (needs `script`)',
    async () => {
      const server = await talkingServer(write('a.txt', 'a\n'), 'Written.', 'Never mind.')
      const place = household({ 'note.md': 'a note' })
      const { cwd, home } = place
      const words = ['chat', '-m', server.model, '--allow', 'Edit(**)']
      const chat = openTerminal(words, { cwd, env: { HOME: home } })
      await chat.until(/› [^]*·/)
      chat.type('Write it, see @note.md\r')
      await chat.until(/Written\.[^]*tokens/)
      chat.type('/edit\r')
      await chat.until(/Undo its later changes in a file\? \[y\/N\]/)
      chat.type('y\r')
      await chat.until(/removed .*a\.txt[^]*› Write it, see @note\.md/)
      expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
      chat.type(', no\r')
      await chat.until(/Never mind\.[^]*tokens/)
      expect(server.messages(2)).toHaveLength(2)
      expect(server.messages(2).at(-1)!.content).toMatch(/^Write it, see @note\.md, no\n[^]*a note/)
      chat.type('\x04')
      expect(await chat.ended).toBe(0)
    },
  )
})
