import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunEvent } from '@toolglot/agent'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type CommandResult, startCommand } from '../../test/start-command.ts'

/** Runs commands with a new home, in a folder with a package.json. */
function household(): { cwd: string; start: (...words: string[]) => Promise<CommandResult> } {
  const cwd = folderOf({ 'package.json': '{"version": "1.0.7"}' })
  const env = { HOME: folderOf() }
  return { cwd, start: (...words) => startCommand(words, { cwd, env }) }
}

interface Listed {
  readonly run: string
  readonly name?: string
  readonly state: string
}

async function listed(start: (...words: string[]) => Promise<CommandResult>): Promise<Listed[]> {
  return JSON.parse((await start('runs', '--json')).output) as Listed[]
}

test('lists, searches, renames and deletes runs', async () => {
  const { start } = household()
  expect((await start('runs')).output).toBe('There are no runs yet.\n')
  await start('run', '-m', 'script', 'What version is it?')
  await start('run', '-m', 'script', 'Find *.json')
  expect((await start('runs')).output).toMatch(
    /^run-\w+ +now +answer +script +Find \*\.json\nrun-\w+ +now +answer +script +What version is it\?\n$/,
  )
  expect((await start('runs', '--search', 'version')).output.split('\n')).toHaveLength(2)
  await start('runs', 'rename', 'last', 'the files')
  expect((await start('runs')).output).toContain('the files')
  expect(await start('runs', 'remove', 'the files')).toMatchObject({ code: 0 })
  expect(await listed(start)).toHaveLength(1)
  const [{ run }] = (await listed(start)) as [Listed]
  expect(await start('runs', 'remove', run.slice(0, 8))).toMatchObject({ code: 0 })
  expect(await start('runs', 'remove', run)).toMatchObject({ code: 1 })
})

test('deletes the oldest runs', async () => {
  const { start } = household()
  for (const prompt of ['Find a*', 'Find b*', 'Find c*']) await start('run', '-m', 'script', prompt)
  expect((await start('runs', 'keep', '--runs', '1')).output).toBe('Deleted: 2\n')
  expect(await listed(start)).toMatchObject([{ prompt: 'Find c*' }])
  expect(await start('runs', 'keep')).toMatchObject({ code: 2 })
})

test('counts what happened, for people and for programs', async () => {
  const { start } = household()
  expect((await start('runs', 'stats')).output).toBe('There are no runs to count.\n')
  await start('run', '-m', 'script', 'What version is it?')
  expect((await start('runs', 'stats', '--days', '2')).output).toMatch(
    /^1 run: 1 answer\n\ntool +calls +median +longest\nRead +1 .*\n\nmodel +turns .*\nscript +\d .*\n\nprotocol +turns +calls\n\S+ +\d +1\n$/,
  )
  const { output } = await start('runs', 'stats', '--json')
  expect(JSON.parse(output)).toMatchObject({
    runs: 1,
    ends: [{ name: 'answer', count: 1 }],
    tools: [{ name: 'Read', calls: 1, succeeded: 1 }],
    models: [{ name: 'script' }],
  })
  expect(await start('runs', 'stats', '--days', '0')).toMatchObject({ code: 2 })
})

test('an exported run can be imported and replayed, but not resumed', async () => {
  const { start } = household()
  await start('run', '-m', 'script', 'What version is it?')
  const { output } = await start('runs', 'export', 'last')
  const other = household()
  const file = join(other.cwd, 'run.jsonl')
  writeFileSync(file, output)
  expect(await other.start('runs', 'import', file)).toMatchObject({ code: 0 })
  expect((await other.start('replay', 'last')).output).toContain('is 1.0.7.')
  const again = await other.start('run', '-m', 'script', '--resume', 'last', 'Find *')
  expect(again.code).toBe(1)
  expect(again.errors).toMatch(/storage: .*imported|storage: .*elsewhere/)
  writeFileSync(file, output.slice(0, -40))
  const cut = await other.start('runs', 'import', file)
  expect(cut).toMatchObject({ code: 1 })
  expect(cut.errors).toMatch(/[^.]; nothing was changed/)
})

test('replay shows what happened, for people and for programs', async () => {
  const { start } = household()
  const live = await start('run', '--json', '-m', 'script', 'What version is it?')
  const { output } = await start('replay', 'last')
  expect(output).toMatch(
    /^› What version is it\?\n\nturn 0\nI'll look in package\.json\.\n\n→ Read package\.json\n[^]*\n\nturn 1\nThe version in package\.json is 1\.0\.7\.\n$/,
  )
  const typesIn = (text: string): string[] => {
    const types = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as RunEvent).type)
    // A replay joins deltas into one event.
    return types.filter((type, at) => type !== 'call-delta' && type !== types[at - 1])
  }
  expect(typesIn((await start('replay', 'last', '--json')).output)).toEqual(typesIn(live.output))
  expect(await start('replay', 'nothing')).toMatchObject({ code: 1 })
})

test('replay redacts what looks like a secret, unless --raw is given', async () => {
  const { start } = household()
  const secret = `sk-${'aB3'.repeat(10)}`
  await start('run', '-m', 'script', `Is ${secret} a key?`)
  for (const words of [[], ['--json']]) {
    expect((await start('replay', 'last', ...words)).output).not.toContain(secret)
    expect((await start('replay', 'last', '--raw', ...words)).output).toContain(secret)
  }
})

test('undoes what a run changed', async () => {
  const { start } = household()
  await start('run', '-m', 'script', 'Create hello.txt and edit it', '--allow', 'Edit(**)')
  const [{ run }] = (await listed(start)) as [Listed]
  expect((await start('undo', run)).output).toMatch(/^removed +\S+hello\.txt\n$/)
  await start('run', '-m', 'script', 'Create hello.txt and edit it', '--allow', 'Edit(**)')
  expect((await start('undo', 'last')).output).toMatch(/^removed +\S+hello\.txt\n$/)
  const nothing = await start('undo', 'last')
  expect(nothing.errors).toContain('nothing to undo')
})

test('a chat refuses to resume an imported run, whatever is in it', async () => {
  const { cwd, start } = household()
  const head = { toolglot: 'run', version: 1, run: 'made-up', records: 1 }
  const record = { key: 'run', kind: 'value', value: { model: {}, messages: 5 }, time: 1 }
  const file = join(cwd, 'made-up.jsonl')
  writeFileSync(file, [head, record].map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(await start('runs', 'import', file)).toMatchObject({ code: 0 })
  const { code, errors } = await start('chat', '-m', 'script', '--resume', 'made-up')
  expect(code).toBe(1)
  expect(errors).toContain('made-up, which was imported: show it with toolglot replay made-up')
  expect(await start('replay', 'made-up')).toMatchObject({ code: 1 })
})
