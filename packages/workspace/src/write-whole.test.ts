import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { stateProblem } from './state-folder.ts'
import type { UserDirectories } from './user-directories.ts'
import { writeWhole } from './write-whole.ts'

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  writeFileSync: () => {
    // As Node reports it: without a path.
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      ...{ code: 'ENOSPC', syscall: 'write', errno: -28 },
    })
  },
}))

const state = mkdtempSync(join(tmpdir(), 'write-whole-'))
afterAll(() => rmSync(state, { recursive: true }))

test('a full disk is reported with the file and with what to do', () => {
  const file = join(state, 'tokens.json')
  let problem: unknown
  try {
    writeWhole(file, 'x')
  } catch (error) {
    problem = stateProblem(error, { state } as UserDirectories)
  }
  expect(problem).toMatchObject({
    message: `No space left to write ${file}. Free some space, or set XDG_STATE_HOME to a folder on another disk.`,
  })
  expect(readdirSync(state)).toEqual([])
})
