import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { smallDisk } from '../../agent/test/small-disk.ts'
import { stateProblem } from './state-folder.ts'
import type { UserDirectories } from './user-directories.ts'
import { writeWhole } from './write-whole.ts'
import { lacks } from '../../../tests/helpers/abilities.ts'

const disk = (await lacks('mount')) ? undefined : smallDisk(64)
afterAll(() => disk?.remove())

describe.skipIf(!disk)('a full disk', () => {
  test('is reported with the file and advice', () => {
    const state = disk!.folder
    const file = join(state, 'tokens.json')
    let problem: unknown
    try {
      writeWhole(file, 'x'.repeat(100_000))
    } catch (error) {
      problem = stateProblem(error, { state } as UserDirectories)
    }
    expect(problem).toMatchObject({
      message: `No space left to write ${file}. Free some space, or set XDG_STATE_HOME to a folder on another disk`,
    })
    expect(readdirSync(state)).toEqual([])
  })
})
