import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { type Place, placeIn } from '../../../test/kill/process.ts'
import { RUN } from '../../../test/kill/program.ts'
import { sqliteJournal } from './sqlite-journal.ts'

/** `npm run test:kill` kills at every point, and more often at random ones. */
const LONG = process.env['KILLS'] === 'long'

const folder = mkdtempSync(join(tmpdir(), 'toolglot-kill-'))
let program: string
/** How many points a run that is not killed passes. */
let points: number

beforeAll(async () => {
  const source = fileURLToPath(new URL('../../../test/kill/two-turns.ts', import.meta.url))
  program = await bundleProgram(source, folder)
  const whole = placeIn(folder, program)
  const { output } = await whole.start().ended
  points = Number(/(\d+) points/.exec(output)?.[1])
  expect(output).toContain('points')
  expect(await problemsOf(whole, 0)).toEqual([])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Two processes at a time. */
async function each(cases: readonly number[], check: (at: number) => Promise<void>): Promise<void> {
  const left = [...cases]
  const work = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) await check(at)
  }
  await Promise.all([work(), work()])
}

/** What is wrong with a program that has ended: something lost, doubled, or not at its end. */
async function problemsOf(place: Place, kills: number): Promise<string[]> {
  const journal = sqliteJournal({ file: place.journal })
  const records = await journal.read(RUN)
  const [summary] = await journal.runs()
  await journal.close()
  const lines = place.effects()
  const problems = summary?.state === 'finished' ? [] : [`state ${summary?.state}`]
  const keys = records.filter(({ kind }) => kind === 'value').map(({ key }) => key)
  const expected = ['run', 'turn/1', 'turn/1/call/1', 'turn/1/call/2', 'turn/2']
  expected.push('turn/2/call/1', 'turn/2/call/2', 'turn/2/call/3', 'end')
  if (keys.sort().join() !== expected.sort().join()) problems.push(`keys ${keys.join()}`)
  let interrupted = 0
  for (const { key, kind, value } of records) {
    if (kind !== 'value' || key === 'run' || key === 'end') continue
    const once = lines.filter((line) => line === `once ${key}`).length
    const again = lines.filter((line) => line === `again ${key}`).length
    if (value === 'interrupted') interrupted++
    else if (once + again === 0) problems.push(`lost ${key}`)
    if (once > 1) problems.push(`doubled ${key}`)
    if (again > 1 + kills) problems.push(`repeated ${key}`)
  }
  // Of those that run side by side, three at most are caught by one kill.
  if (interrupted > 3 * kills) problems.push(`${interrupted} interrupted by ${kills} kills`)
  return problems
}

async function interruptedIn(place: Place): Promise<number> {
  const journal = sqliteJournal({ file: place.journal })
  const records = await journal.read(RUN)
  await journal.close()
  return records.some(({ value }) => value === 'interrupted') ? 1 : 0
}

test('killed before and after every event, it goes on: nothing lost, doubled or stuck', async () => {
  expect(points).toBe(50)
  const all = Array.from({ length: points }, (_, index) => index + 1)
  let interrupted = 0
  await each(
    all.filter((at) => LONG || at % 5 === 2),
    async (at) => {
      const place = placeIn(folder, program)
      expect(await place.start(at).ended, `${at}`).toMatchObject({ signal: 'SIGKILL' })
      expect(await place.start().ended).toMatchObject({ code: 0 })
      expect(await problemsOf(place, 1), `killed at ${at}`).toEqual([])
      interrupted += await interruptedIn(place)
    },
  )
  // Some points lie between the beginning and the end of what must not be repeated.
  expect(interrupted).toBeGreaterThan(0)
  expect(interrupted).toBeLessThan(all.length / 2)
}, 600_000)

test('killed again and again while it goes on', async () => {
  const starts = LONG ? [5, 11, 16, 20, 24, 28, 33, 38, 44, 50] : [17]
  await each(starts, async (at) => {
    const place = placeIn(folder, program)
    const kills = [at, 1, 3, 4, 6, 2]
    for (const kill of kills)
      expect(await place.start(kill).ended, `${kill}`).toMatchObject({ signal: 'SIGKILL' })
    expect(await place.start().ended).toMatchObject({ code: 0 })
    expect(await problemsOf(place, kills.length), `killed at ${at} first`).toEqual([])
  })
}, 600_000)

test('killed at any moment', async () => {
  let landed = 0
  const count = LONG ? 60 : 2
  await each(
    Array.from({ length: count }, (_, index) => index),
    async () => {
      const place = placeIn(folder, program)
      for (let kills = 0; ; kills++) {
        const { child, ready, ended } = place.start()
        await Promise.race([ready, ended])
        const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * (100 + 100 * kills))
        const { signal, code, output } = await ended
        clearTimeout(timer)
        if (signal === null) {
          expect(code, output).toBe(0)
          expect(await problemsOf(place, kills)).toEqual([])
          return
        }
        landed++
      }
    },
  )
  console.log(`${landed} kills at random in ${count} runs`)
  expect(landed).toBeGreaterThan(0)
}, 600_000)
