import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { listFromProc, listFromPs, findProcess } from './list-processes.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

test.skipIf(await lacks('linux'))(
  'both ways to list processes give the same list (Linux has both)',
  () => {
    const child = spawn('sleep', ['30'], { detached: true })
    onTestFinished(() => void child.kill('SIGKILL'))
    for (const list of [listFromProc(), listFromPs()]) {
      const found = list.find(({ pid }) => pid === child.pid)
      expect(found).toMatchObject({ parent: process.pid, group: child.pid, hasEnded: false })
      expect(Number.isFinite(found!.started)).toBe(true)
    }
  },
)

test('finds a process by its pid', () => {
  expect(findProcess(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid })
  expect(findProcess(2 ** 30)).toBeUndefined()
})
