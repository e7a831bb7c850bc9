import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { stateProblem } from './state-folder.ts'
import type { UserDirectories } from './user-directories.ts'
import { writeWhole } from './write-whole.ts'

const state = mkdtempSync(join(tmpdir(), 'write-whole-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', state]).status === 0
afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', state])
  rmSync(state, { recursive: true })
})

describe.skipIf(!mounted)('a full disk (needs permission to mount)', () => {
  test('is reported with the file and with what to do', () => {
    const file = join(state, 'tokens.json')
    let problem: unknown
    try {
      writeWhole(file, 'x'.repeat(100_000))
    } catch (error) {
      problem = stateProblem(error, { state } as UserDirectories)
    }
    expect(problem).toMatchObject({
      message: `No space left to write ${file}. Free some space, or set XDG_STATE_HOME to a folder on another disk.`,
    })
    expect(readdirSync(state)).toEqual([])
  })
})
