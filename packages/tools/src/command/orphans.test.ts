import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tests/helpers/size.ts'
import { machine } from '../../test/machine.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const COUNT = isLong ? 200 : 6
const AT_ONCE = Math.min(20, COUNT)

/** Ignores SIGTERM and keeps forking: some children leave the session, some also lose their parent. */
const forker = (id: string): string => `
  trap '' TERM
  export ORPHAN=${id}
  setsid sleep 300 &
  (setsid bash -c 'while :; do sleep 300 & sleep 0.2; done' &)
  while :; do (sleep 300; true) & sleep 0.1; done`

function living(id: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      const isOurs = (name: string): boolean => readFileSync(`/proc/${entry}/${name}`).includes(id)
      return /^\d+$/.test(entry) && (isOurs('cmdline') || isOurs('environ'))
    } catch {
      return false // The process has ended.
    }
  })
}

describe.skipIf(await lacks('linux'))('requires /proc', () => {
  test(`no process of ${COUNT} commands survives a timeout, ${AT_ONCE} at a time`, async () => {
    const { host } = await machine()
    const id = randomUUID()
    let most = 0
    let slowest = 0
    let left = COUNT

    async function work(): Promise<void> {
      while (left-- > 0) {
        const began = performance.now()
        const ended = await host.processes.run(forker(id), { timeout: 500 })
        slowest = Math.max(slowest, performance.now() - began - 500)
        expect(ended).toMatchObject({ timedOut: 'total', exitCode: 124 })
      }
    }
    const counting = setInterval(() => (most = Math.max(most, living(id).length)), 1000)
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    clearInterval(counting)

    console.log(
      `${COUNT} stopped; ${most} processes at most; the last one dead ${Math.round(slowest)} ms after its time`,
    )
    expect(most).toBeGreaterThan(AT_ONCE)
    expect(living(id)).toEqual([])
  }, 600_000)
})
