import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Household, household } from '../../test/household.ts'
import { calling, talkingServer } from '../../test/talking-server.ts'

const files = { 'package.json': '{"version": "1.0.7"}' }

interface Listed {
  readonly run: string
  readonly name?: string
  readonly state: string
}

async function listed(start: Household['start']): Promise<Listed[]> {
  return JSON.parse((await start(['runs', '--json'])).output) as Listed[]
}

test('lists, searches, renames and deletes runs', async () => {
  const { start } = household(files)
  expect((await start(['runs'])).output).toBe('There are no runs yet.\n')
  await start(['run', '-m', 'script', 'What version is it?'])
  await start(['run', '-m', 'script', 'Find *.json'])
  expect((await start(['runs'])).output).toMatch(
    /^run-\w+ +now +answer +script +Find \*\.json\nrun-\w+ +now +answer +script +What version is it\?\n$/,
  )
  expect((await start(['runs', '--search', 'version'])).output.split('\n')).toHaveLength(2)
  await start(['runs', 'rename', 'last', 'the files'])
  expect((await start(['runs'])).output).toContain('the files')
  expect(await start(['runs', 'remove', 'the files'])).toMatchObject({ code: 0 })
  expect(await listed(start)).toHaveLength(1)
  const [{ run }] = (await listed(start)) as [Listed]
  expect(await start(['runs', 'remove', run.slice(0, 8)])).toMatchObject({ code: 0 })
  expect(await start(['runs', 'remove', run])).toMatchObject({ code: 1 })
})

test('deletes the oldest runs', async () => {
  const { start } = household(files)
  for (const prompt of ['Find a*', 'Find b*', 'Find c*'])
    await start(['run', '-m', 'script', prompt])
  expect((await start(['runs', 'keep', '--runs', '1'])).output).toBe('Deleted: 2\n')
  expect(await listed(start)).toMatchObject([{ prompt: 'Find c*' }])
  expect(await start(['runs', 'keep'])).toMatchObject({ code: 2 })
})

test('exports a run that can be imported and replayed, but not resumed', async () => {
  const { start } = household(files)
  await start(['run', '-m', 'script', 'What version is it?'])
  const { output } = await start(['runs', 'export', 'last'])
  const other = household(files)
  const file = join(other.cwd, 'run.jsonl')
  writeFileSync(file, output)
  expect(await other.start(['runs', 'import', file])).toMatchObject({ code: 0 })
  expect((await other.start(['replay', 'last'])).output).toContain('is 1.0.7.')
  const again = await other.start(['run', '-m', 'script', '--resume', 'last', 'Find *'])
  expect(again.code).toBe(1)
  expect(again.errors).toMatch(/storage: .*imported|storage: .*elsewhere/)
  writeFileSync(file, output.slice(0, -40))
  const cut = await other.start(['runs', 'import', file])
  expect(cut).toMatchObject({ code: 1 })
  expect(cut.errors).toMatch(/[^.]; nothing was changed/)
})

test('refuses to resume any imported run in a chat', async () => {
  const { cwd, start } = household(files)
  const head = { toolglot: 'run', version: 4, run: 'made-up', records: 1 }
  const record = { key: 'run', kind: 'value', value: { model: {}, messages: 5 }, time: 1 }
  const file = join(cwd, 'made-up.jsonl')
  writeFileSync(file, [head, record].map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(await start(['runs', 'import', file])).toMatchObject({ code: 0 })
  const { code, errors } = await start(['chat', '-m', 'script', '--resume', 'made-up'])
  expect(code).toBe(1)
  expect(errors).toContain(
    'made-up was imported, so it cannot be continued. Show it with: toolglot replay made-up',
  )
  expect(await start(['replay', 'made-up'])).toMatchObject({ code: 1 })
})

test('shows statistics, for people and for programs', async () => {
  const { start } = household({ 'package.json': '{"version": "1.0.7"}' })
  expect((await start(['runs', 'stats'])).output).toBe('There are no runs to count.\n')
  await start(['run', '-m', 'script', 'What version is it?'])
  expect((await start(['runs', 'stats', '--days', '2'])).output).toMatch(
    /^1 run: 1 answer\n\ntool +calls +median +longest\nRead +1 .*\n\nmodel +turns .*\nscript +\d .*\n\nprotocol +turns +calls\n\S+ +\d +1\n$/,
  )
  const { output } = await start(['runs', 'stats', '--json'])
  expect(JSON.parse(output)).toMatchObject({
    runs: 1,
    ends: [{ name: 'answer', count: 1 }],
    tools: [{ name: 'Read', calls: 1, succeeded: 1 }],
    models: [{ name: 'script' }],
  })
  expect(await start(['runs', 'stats', '--days', '0'])).toMatchObject({ code: 2 })
})

test('lists pending requests with commands that answer them', async () => {
  const write = calling('Write', { file_path: 'a.txt', content: 'a.txt\n' })
  const { model } = await talkingServer(write, 'Written.')
  const { start, begin, cwd } = household()
  expect((await start(['runs', 'waiting'])).output).toBe('No requests are pending.\n')
  const run = begin(['run', '-m', model, '--attended', 'Go.'])
  await run.until(/To answer:/)
  await start(['runs', 'rename', 'last', 'my run'])
  const rule = `Edit(/${join(cwd, 'a.txt')})`
  const waiting = async (): Promise<unknown> =>
    JSON.parse((await start(['runs', 'waiting', '--json'])).output)
  expect(await waiting()).toMatchObject([
    {
      type: 'approval',
      number: 1,
      name: 'my run',
      tool: 'Write',
      args: { file_path: 'a.txt', content: 'a.txt\n' },
      parts: [{ what: 'write a.txt', verdict: 'ask', why: 'no rule allows writing it' }],
      suggestions: [{ what: 'write a.txt', rule }],
    },
  ])
  const { output } = await start(['runs', 'waiting', 'my run'])
  expect(output).toMatch(
    /^run-\w+ {2}my run\nin .*\n1 {2}→ Write a\.txt\n {3}\? write a\.txt\n {5}no rule allows writing it\n {5}always: Edit\(.*\)\n/,
  )
  const [, command = ''] = /^ +toolglot (runs answer run-\w+ 1 allow)$/m.exec(output) ?? []
  expect(run.errors()).toContain(command)
  const answered = await start(command.split(' '))
  expect(answered).toMatchObject({ code: 0, output: 'Allowed: → Write a.txt\n', errors: '' })
  expect(await run.ended()).toBe(0)
  expect(run.output()).toBe('Written.\n')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('a.txt\n')
  expect(await waiting()).toEqual([])
})
