import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type CommandResult, startCommand, type StartOptions } from '../../test/start-command.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const missing = await lacks('bubblewrap')

/**
 * A folder in which a command has created a protected file, and a function that runs commands
 * there.
 */
async function setUp(command: string): Promise<{
  cwd: string
  id: string
  made: CommandResult
  run: (words: readonly string[], options?: StartOptions) => Promise<CommandResult>
}> {
  const [cwd, home] = [folderOf(), folderOf()]
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
  const run = (words: readonly string[], options: StartOptions = {}): Promise<CommandResult> =>
    startCommand(words, { cwd, env, ...options })
  const made = await run(['exec', 'Bash', JSON.stringify({ command })], {
    answer: 'y',
  })
  const [, id = ''] = /toolglot restore (\w+)/.exec(made.output + made.errors) ?? []
  return { cwd, id, made, run }
}

const MAKE = `mkdir -p app/.vscode/deep && printf '{"a":\\033 1}' > app/.vscode/tasks.json`

describe.skipIf(missing)('files created by a sandboxed command', () => {
  test('are listed with their ids, and put back after a confirmation', async () => {
    const { cwd, id, made, run } = await setUp(MAKE)
    const path = join(cwd, 'app/.vscode')
    expect(made.output + made.errors).toContain('The new app/.vscode was moved out of the way')
    expect(existsSync(path)).toBe(false)

    const { output } = await run(['restore'])
    expect(output).toMatch(new RegExp(`^${id} +${path} +can make an editor run code +2`))
    expect(JSON.parse((await run(['restore', '--json'])).output)).toMatchObject([{ id, path }])

    const refused = await run(['restore', id], { answer: 'n' })
    expect(refused).toMatchObject({ code: 1, questions: ['Put it back? [y/N] '] })
    expect(refused.output).toContain('Protected: can make an editor run code.')
    expect(refused.output).toMatch(/^ {2}deep\/\n {2}tasks\.json$/m)
    expect(await run(['restore', id])).toMatchObject({ code: 1 })
    expect(existsSync(path)).toBe(false)

    expect(await run(['restore', id], { answer: 'y' })).toMatchObject({ code: 0 })
    expect(readFileSync(join(path, 'tasks.json'), 'utf8')).toContain('"a"')
    expect(await run(['restore'])).toMatchObject({ output: 'No files were moved aside.\n' })
    expect(await run(['restore', id, '--yes'])).toMatchObject({ code: 1 })
    // The next command does not move the file aside a second time.
    const { errors } = await run(['exec', 'Bash', '{"command": "true"}'], { answer: 'y' })
    expect([errors, existsSync(path)]).toEqual([expect.not.stringContaining('moved'), true])
  })

  test('are shown without control characters, and not beyond 40 lines', async () => {
    const { id, run } = await setUp(`printf '\\033[2J\\n' > .envrc && seq 100 >> .envrc`)
    const { code, output } = await run(['restore', id, '--yes'])
    expect(code).toBe(0)
    expect(output).toContain('  \\x1b[2J\n  1\n')
    expect(output).toContain('  39\n  … see the rest in')
    expect(output).not.toContain('  40\n')
  })

  test('are not put back in place of another file, or through a link, and remain in the list', async () => {
    const { cwd, id, run } = await setUp(MAKE)
    const [app, path] = [join(cwd, 'app'), join(cwd, 'app/.vscode')]
    const again = async (): Promise<string> => {
      const { code, errors } = await run(['restore', id, '--yes'])
      expect([code, (await run(['restore'])).output]).toEqual([1, expect.stringContaining(id)])
      return errors
    }
    writeFileSync(path, 'mine')
    expect(await again()).toContain(`${path} exists. Move it elsewhere first`)
    expect(readFileSync(path, 'utf8')).toBe('mine')
    rmSync(app, { recursive: true })
    expect(await again()).toContain(`The folder ${app} no longer exists. Create it first`)
    const elsewhere = realpathSync(folderOf())
    symlinkSync(elsewhere, app)
    expect(await again()).toContain(`${app} is no longer a folder, or in a link`)
    expect(existsSync(join(elsewhere, '.vscode'))).toBe(false)
    rmSync(app)
    mkdirSync(app)
    expect(await run(['restore', id, '--yes', '--json'])).toMatchObject({ code: 0 })
    expect(existsSync(path)).toBe(true)
  })
})

test('are an empty list if there are none, and no folder is created', async () => {
  const home = folderOf()
  const env = { HOME: home }
  expect(await startCommand(['restore'], { env })).toMatchObject({ code: 0 })
  expect(await startCommand(['restore', '--json'], { env })).toMatchObject({ output: '[]\n' })
  const { code, errors } = await startCommand(['restore', '../../x', '--yes'], { env })
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining('List the ids with: toolglot restore'),
  ])
  expect(existsSync(join(home, '.local'))).toBe(false)
})
