import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Household, household } from '../../test/household.ts'

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

test('an exported run can be imported and replayed, but not resumed', async () => {
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

test('a chat refuses to resume an imported run, whatever is in it', async () => {
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
