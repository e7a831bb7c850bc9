import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { type CommandResult, startCommand, type StartOptions } from '../test/start-command.ts'

const CALL = JSON.stringify({ command: 'echo hello' })

/** Runs a shell command in a home folder, or in a folder around or in it. */
function echo(
  words: readonly string[] = [],
  { in: at = 'home', ...options }: StartOptions & { in?: string; settings?: object } = {},
): Promise<CommandResult> {
  const around = folderOf({ 'home/project/file': '' })
  const home = join(around, 'home')
  if (options.settings) {
    const file = join(home, '.config/toolglot/settings.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(options.settings))
  }
  return startCommand(['exec', 'Bash', CALL, '--allow', 'Bash(echo:*)', ...words], {
    cwd: join(around, at),
    env: { HOME: home, PATH: process.env['PATH'] ?? '' },
    ...options,
  })
}

const RAN = { code: 0, output: 'hello\n' }

describe('a workspace that contains the home folder', () => {
  test.each(['home', '.'])('requires confirmation for commands: %s', async (at) => {
    const { code, errors } = await echo([], { in: at })
    expect(code).toBe(1)
    expect(errors).toContain('SSH keys, tokens, browser profiles, every project')
    expect(errors).toContain('--expose-home')
    expect(await echo(['--expose-home'], { in: at })).toMatchObject(RAN)
  })

  test('asks once at a terminal, and only accepts yes', async () => {
    const question = expect.stringMatching(
      /^This workspace is your home folder\. .+Continue\? \[y\/N\] $/,
    ) as string
    expect(await echo([], { answer: 'y' })).toMatchObject({ ...RAN, questions: [question] })
    for (const answer of ['', 'n', 'sure'])
      expect(await echo([], { answer })).toMatchObject({ code: 1, questions: [question] })
    const { questions } = await echo([], { in: '.', answer: 'y' })
    expect(questions).toEqual([expect.stringMatching(/^This workspace contains your home/)])
  })

  test.each([
    [{ sandbox: { write: ['~'] } }, []],
    [{ sandbox: { use: 'none' } }, []],
    [{}, ['--expose-home']],
  ])('is confirmed by %j %j', async (settings, words) => {
    expect(await echo(words, { settings, answer: 'n' })).toMatchObject({ ...RAN, questions: [] })
  })

  test('is not confirmed by write access to a part of it', async () => {
    const settings = { sandbox: { write: ['~/project'], read: ['~'] } }
    expect(await echo([], { settings })).toMatchObject({ code: 1 })
  })

  test('is not asked about with --no-interactive', async () => {
    expect(await echo(['--no-interactive'], { answer: 'y' })).toMatchObject({
      code: 1,
      questions: [],
    })
  })

  test('allows all tools except commands', async () => {
    const home = folderOf({ 'notes.txt': 'one' })
    const words = ['exec', 'Read', '{"file_path": "notes.txt"}']
    const { code, output } = await startCommand(words, { cwd: home, env: { HOME: home } })
    expect([code, output]).toEqual([0, expect.stringContaining('one')])
  })

  test('is not a folder in the home folder', async () => {
    expect(await echo([], { in: 'home/project', answer: 'n' })).toMatchObject({
      ...RAN,
      questions: [],
    })
  })
})
