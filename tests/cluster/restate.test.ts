import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { spawnedProgram } from '../../packages/cli/test/spawned.ts'
import { generator } from '../../packages/server/test/random.ts'
import { chaos } from './chaos.ts'
import { prepareGround } from './cluster.ts'
import { freePorts } from '../helpers/free-ports.ts'
import { startMember } from './member.ts'
import { startBalancer, startRestate } from './restate.ts'
import { engineSize as size, seed } from './size.ts'
import { verdict } from './verdict.ts'

/** The time limit for runs after the last fault, in milliseconds. */
const PATIENCE = 5 * 60_000

test(`Restate drives ${size.runs} runs on three workers: ${size.kills} kills, ${size.pauses} pauses (seed ${seed})`, async () => {
  const random = generator(seed)
  const began = performance.now()
  const { postgres, journal, model, effects } = await prepareGround()
  const program = await bundle('restate-worker')
  const polyfill = new URL('../../examples/restate/with-resolvers.mjs', import.meta.url).href
  const env = { EFFECTS: effects, TOOLGLOT_JOURNAL: postgres.url, MODEL: model }
  const ports = await freePorts(3)
  const [restate, address, ...members] = await Promise.all([
    startRestate(),
    startBalancer(ports),
    ...ports.map((port) =>
      startMember(`worker at ${port}`, async () => {
        const worker = spawnedProgram(['--import', polyfill, program, String(port)], { env })
        await worker.until(/Ready/)
        return worker
      }),
    ),
  ])
  await restate.register(address)

  let isOver = false
  let deadline = Infinity
  const happening = chaos({ members, postgres, random, size }).finally(() => {
    isOver = true
    deadline = performance.now() + PATIENCE
  })
  const open = new Set<string>()
  let started = 0
  /** Keeps a number of runs in progress, until there were enough faults and finished runs. */
  async function submitAll(): Promise<void> {
    while (started < size.runs || !isOver || open.size > 0) {
      while (open.size < size.atOnce && (started < size.runs || !isOver)) {
        const run = `run-${++started}`
        open.add(run)
        await restate.submit(run, `Go, number ${started}.`)
      }
      await sleep(250)
      // The database may be temporarily unavailable.
      const all = await journal.runs({ limit: 1_000_000 }).catch(() => [])
      for (const { run, reason } of all) if (reason !== undefined) open.delete(run)
      if (performance.now() > deadline)
        throw new Error(`these runs have not ended: ${[...open].join(', ')}`)
    }
  }
  const [counts] = await Promise.all([happening, submitAll()])
  // Work that a paused worker had started is done by now.
  await sleep(1000)
  const { problems, ...found } = await verdict(journal, effects)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(JSON.stringify({ engine: 'Restate', seed, seconds, ...counts, ...found }))
  expect(problems).toEqual([])
  expect(found.runs).toBe(started)
  expect(found).toMatchObject({ ended: found.runs, doubled: 0, lost: 0, miscounted: 0 })
  // If the sum were 0, nothing would have been tested.
  expect(found.unknown + found.found + found.missing).toBeGreaterThan(0)
  const { kills, pauses, rollingRestarts, databaseRestarts } = size
  expect(counts).toEqual({ kills, pauses, rollingRestarts, databaseRestarts })
})

/** Node 20 does not run TypeScript. Imports are resolved in the packages of this folder. */
async function bundle(name: string): Promise<string> {
  const input = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const file = fileURLToPath(new URL(`dist/${name}.js`, import.meta.url))
  const bundled = await rolldown({ input, platform: 'node', external: /^[^./]/ })
  await bundled.write({ file })
  await bundled.close()
  return file
}
