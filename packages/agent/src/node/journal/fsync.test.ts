import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { RUN } from '../../../test/kill/program.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { lacks } from '../../../../../tests/helpers/abilities.ts'

/** Makes the given fsync call of a process fail. */
const failing = (at: number): string[] =>
  `-f -qq -o /dev/null -e trace=fsync,fdatasync -e inject=fsync:error=EIO:when=${at} --`.split(' ')

test.skipIf(await lacks('strace'))(
  'stops recording after a failed fsync, and no retry hides the failure',
  async () => {
    const folder = folderOf()
    const source = fileURLToPath(new URL('../../../test/kill/appends.ts', import.meta.url))
    const program = await bundleProgram(source, folder)
    const effects = join(folder, 'effects.txt')
    const file = join(folder, 'journal.sqlite')
    const env = { ...process.env, FILE: file, EFFECTS: effects }
    spawnSync('strace', [...failing(12), process.execPath, program], { env })

    const lines = readFileSync(effects, 'utf8').trim().split('\n')
    const durable = lines.filter((line) => line.startsWith('durable'))
    expect(lines).toHaveLength(20)
    expect(durable.length).toBeGreaterThan(0)
    expect(new Set(lines.slice(durable.length))).toEqual(new Set(['failed']))
    const journal = sqliteJournal({ file })
    onTestFinished(() => journal.close())
    const kept = (await journal.read(RUN)).map(({ key }) => `durable ${key}`)
    expect(kept).toEqual(durable)
  },
)
