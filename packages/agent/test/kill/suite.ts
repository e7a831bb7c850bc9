import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalRecord } from '../../src/journal/journal.ts'
import { sqliteJournal } from '../../src/node/journal/sqlite-journal.ts'
import { bundleProgram } from './bundle.ts'
import { type KillCase, createKillCase } from './process.ts'
import { RUN } from './program.ts'
import { isLong, longTest } from '../../../../tests/helpers/size.ts'

/** A program to kill, and checks for the state it leaves. */
export interface KillSuite {
  readonly program: URL
  /**
   * The minimum number of kill points in an undisturbed run, because records in the queue are
   * written together.
   */
  readonly points: number
  /** The step between the points that are tried in a short test run. */
  readonly every: number
  /** The problems after this many kills: lost, duplicate, or too many repeated effects. */
  readonly problems: (
    records: readonly JournalRecord[],
    effects: readonly string[],
    kills: number,
    all: ReadonlyMap<string, readonly JournalRecord[]>,
  ) => string[]
  /** True if a record belongs to a step that started and whose outcome is unknown. */
  readonly isInterrupted: (record: JournalRecord) => boolean
}

/** Kills a program before and after each record and effect, and resumes it until it ends. */
export function killSuite({ program, points, every, problems, isInterrupted }: KillSuite): void {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-kill-'))
  let file: string

  beforeAll(async () => {
    file = await bundleProgram(fileURLToPath(program), folder)
    const whole = createKillCase(folder, file)
    const { output } = await whole.start().ended
    const [, passed] = /(\d+) points/.exec(output) ?? []
    expect(Number(passed), output).toBeGreaterThanOrEqual(points)
    expect((await inspect(whole, 0)).problems).toEqual([])
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function inspect(
    killCase: KillCase,
    kills: number,
  ): Promise<{ problems: string[]; interrupted: number }> {
    const journal = sqliteJournal({ file: killCase.journal })
    const records = await journal.read(RUN)
    const summaries = await journal.runs()
    const others = new Map<string, readonly JournalRecord[]>()
    for (const { run } of summaries) others.set(run, await journal.read(run))
    await journal.close()
    const stuck = summaries
      .filter(({ state }) => state !== 'finished')
      .map(({ run, state }) => `${run} is ${state}`)
    const lost = summaries.length === 0 ? ['no run'] : []
    return {
      problems: [...lost, ...stuck, ...problems(records, killCase.effects(), kills, others)],
      interrupted: records.filter(isInterrupted).length,
    }
  }

  test('killed before or after any event, it resumes without losing or repeating a step', async () => {
    const all = Array.from({ length: points }, (_, index) => index + 1)
    let interrupted = 0
    await each(
      all.filter((at) => isLong || at % every === 2),
      async (at) => {
        const killCase = createKillCase(folder, file)
        expect(wasKilled(await killCase.start(at).ended), `${at}`).toBe(true)
        expect(await killCase.start().ended, `after ${at}`).toMatchObject({ code: 0 })
        const found = await inspect(killCase, 1)
        expect(found.problems, `killed at ${at}`).toEqual([])
        if (found.interrupted > 0) interrupted++
      },
    )
    // Some kill points are in the middle of a step that must not be repeated.
    if (isLong) expect(interrupted).toBeGreaterThan(0)
    expect(interrupted).toBeLessThan(all.length / 2)
  }, 1_200_000)

  test('killed repeatedly while it resumes', async () => {
    const part = (share: number): number => Math.ceil((points * share) / 10)
    const starts = isLong ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(part) : [part(3.3)]
    await each(starts, async (at) => {
      const killCase = createKillCase(folder, file)
      const kills = isLong ? [at, 1, 3, 4, 6, 2] : [at, 3]
      for (const kill of kills)
        expect(wasKilled(await killCase.start(kill).ended), `${kill}`).toBe(true)
      expect(await killCase.start().ended).toMatchObject({ code: 0 })
      expect((await inspect(killCase, kills.length)).problems, `killed at ${at} first`).toEqual([])
    })
  }, 1_200_000)

  longTest(
    'killed at random moments',
    async () => {
      let landed = 0
      const count = 60
      await each(
        Array.from({ length: count }, (_, index) => index),
        async () => {
          const killCase = createKillCase(folder, file)
          for (let kills = 0; ; kills++) {
            const { child, ready, ended } = killCase.start()
            await Promise.race([ready, ended])
            const timer = setTimeout(
              () => child.kill('SIGKILL'),
              Math.random() * (100 + 100 * kills),
            )
            const { signal, code, output } = await ended
            clearTimeout(timer)
            if (signal === null) {
              expect(code, output).toBe(0)
              expect((await inspect(killCase, kills)).problems).toEqual([])
              return
            }
            landed++
          }
        },
      )
      console.log(`${landed} kills at random in ${count} runs`)
      expect(landed).toBeGreaterThan(0)
    },
    1_200_000,
  )
}

/** True if the program was killed, false if it ended before reaching the kill point. */
function wasKilled({ signal, code }: { signal: string | null; code: number | null }): boolean {
  return signal === 'SIGKILL' || code === 0
}

/** Checks all cases, two in parallel. */
async function each(cases: readonly number[], check: (at: number) => Promise<void>): Promise<void> {
  const left = [...cases]
  const work = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) await check(at)
  }
  await Promise.all([work(), work()])
}

/** The number of times a line occurs. */
export function times(lines: readonly string[], line: string): number {
  return lines.filter((each) => each === line).length
}
