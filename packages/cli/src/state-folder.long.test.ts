import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { binary, runInShell } from '../test/spawn-command.ts'
import { type CommandResult, startCommand } from '../test/start-command.ts'
import { lacks } from '../../../tests/helpers/abilities.ts'

const NEEDING = [
  ['exec', 'Read', '{"file_path":"a"}'],
  ['exec', 'Bash', '{"command":"true"}', '--allow', 'Bash(true)'],
  ['run', 'hi'],
  ['open'],
  ['chat'],
  ['mcp'],
  ['runs'],
  ['replay', 'last'],
  ['undo', 'last'],
]

const OTHERS: readonly (readonly [shown: string, ...words: string[]])[] = [
  ['Read', 'tools'],
  ['hermes', 'protocols'],
  ['allow', 'permit', 'Read', '{"file_path":"a"}'],
  ['hermes', 'parse', '--samples'],
  ['settings.json', 'config'],
  ['No folder is trusted', 'trust', '--list'],
]

/** Runs a script with private mounts. */
const UNSHARE = 'unshare --user --map-root-user --mount sh -c'

function expectOneLine({ code, output, errors }: CommandResult, folder: string): void {
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/^error: The state folder [^\n]* is not writable [^\n]*\n$/)
  expect(errors).toContain(`The state folder ${folder} is not writable`)
  expect(errors).toContain('Set XDG_STATE_HOME')
}

describe('a file in place of the state folder', () => {
  const circumstances = (): { cwd: string; env: Record<string, string>; folder: string } => {
    const cwd = folderOf({ a: 'text', file: '' })
    const state = join(cwd, 'file')
    return { cwd, env: { XDG_STATE_HOME: state }, folder: join(state, 'toolglot') }
  }

  test.each(NEEDING)('%s %s', async (...words) => {
    const { folder, ...where } = circumstances()
    expectOneLine(await startCommand(words, where), folder)
  })

  test.each(OTHERS)('does not affect %s: %s', async (shown, ...words) => {
    const { code, output, errors } = await startCommand(words, circumstances())
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain(shown)
  })

  test('is reported by doctor', async () => {
    const { code, output } = await startCommand(['doctor'], circumstances())
    expect(code).toBe(1)
    expect(output).toMatch(/broken +state +.*\n.*XDG_STATE_HOME/)
  })
})

// If no folder can be created, Node keeps trying. The built command is used because it can be
// killed.
describe.skipIf(await lacks('linux'))('a home in /proc', () => {
  const run = async (words: readonly string[]): Promise<CommandResult> => {
    const line = [process.execPath, binary, ...words].map((word) => `'${word}'`).join(' ')
    const { code, ...said } = await runInShell(`timeout -s KILL 50 ${line} < /dev/null`, {
      files: { a: 'text' },
      env: { HOME: '/proc', XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' },
    })
    return { code: code ?? -1, ...said }
  }

  test.each(NEEDING)('%s %s', async (...words) => {
    expectOneLine(await run(words), '/proc/.local/state/toolglot')
  })

  test('does not affect permit', async () => {
    expect(await run(['permit', 'Read', '{"file_path":"a"}'])).toMatchObject({
      code: 0,
      errors: '',
    })
  })

  test('prevents saving trust', async () => {
    const { code, errors } = await run(['trust', '--yes'])
    expect(code).toBe(1)
    expect(errors).toMatch(/^error: [^\n]*\/proc\/\.config[^\n]*\n$/)
  })
})

describe.skipIf(await lacks('mount'))('a full disk', () => {
  const FULL = 'mount -t tmpfs -o size=16k tmpfs state && (cat /dev/zero > state/fill) 2>&-'
  test.each(['token', 'token create x', 'token rotate', 'serve'])('toolglot %s', async (words) => {
    const line = `${UNSHARE} '${FULL}; XDG_STATE_HOME=$PWD/state "$0" "$@"' '${process.execPath}' '${binary}' ${words}`
    const { code, output, errors } = await runInShell(`mkdir state; ${line}`, {
      files: { a: 'text' },
    })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(/^error: [^\n]*[Ff]ree some space[^\n]*\n$/)
  })
})

test('is reported in one line in the middle of a run', async () => {
  const cwd = folderOf({ a: 'text' })
  const state = folderOf({ 'toolglot/checkpoints': 'no folder' })
  const { code, errors } = await startCommand(['undo', 'run-1'], {
    cwd,
    env: { XDG_STATE_HOME: state },
  })
  expect(code).toBe(1)
  expect(errors).toMatch(/^error: [^\n]*\n$/)
})

test('an empty HOME does not mean the current folder', async () => {
  const cwd = folderOf()
  writeFileSync(join(cwd, 'a'), 'text')
  const { output } = await runInShell(`cd '${cwd}' && toolglot config; ls -A`, {
    env: { HOME: '', XDG_CONFIG_HOME: '' },
  })
  expect(output).toContain(' in /')
  expect(output.trimEnd().split('\n').at(-1)).toBe('a')
})
