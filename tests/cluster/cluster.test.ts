import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { RunEvent } from '@toolglot/agent'
import { folderOf } from '../helpers/folder.ts'
import { spawned } from '../../packages/cli/test/spawned.ts'
import { problemsOf, recordedOf } from '../../packages/server/test/event-problems.ts'
import { generator } from '../../packages/server/test/random.ts'
import { chaos } from './chaos.ts'
import { createClient } from './client.ts'
import { prepareGround, untilIdle } from './cluster.ts'
import { freePorts } from '../helpers/free-ports.ts'
import { type Member, startMember } from './member.ts'
import { commandSize as size, seed } from './size.ts'
import { verdict } from './verdict.ts'

const TOKEN = 'a-token-of-the-tests-that-is-long-enough-to-be-taken'
/** The time limit for runs after the last fault, in milliseconds. */
const PATIENCE = 5 * 60_000

test(`three servers and three workers: ${size.runs} runs, ${size.kills} kills, ${size.pauses} pauses (seed ${seed})`, async () => {
  const random = generator(seed)
  const began = performance.now()
  const { postgres, journal, model, effects } = await prepareGround()
  const folder = folderOf()
  const settings = {
    tools: [fileURLToPath(new URL('effects.mjs', import.meta.url))],
    permissions: { allow: ['note', 'send'] },
  }
  const urls: string[] = []

  async function serverOrWorker(command: 'serve' | 'worker', number: number): Promise<Member> {
    const home = folderOf({ '.config/toolglot/settings.json': JSON.stringify(settings) })
    const env = {
      HOME: home,
      NO_COLOR: '1',
      EFFECTS: effects,
      TOOLGLOT_JOURNAL: postgres.url,
      TOOLGLOT_TOKEN: TOKEN,
    }
    const words = [command, '--cwd', folder]
    if (command === 'serve') {
      const [port] = await freePorts(1)
      words.push('--port', String(port), '-m', model)
      urls.push(`http://127.0.0.1:${port}`)
    }
    return startMember(`${command} ${number}`, async () => {
      const process = spawned(words, { env })
      await process.until(command === 'serve' ? /listening on/ : /Working as/)
      return process
    })
  }

  const members = await Promise.all(
    [1, 2, 3].flatMap((number) => [
      serverOrWorker('serve', number),
      serverOrWorker('worker', number),
    ]),
  )

  const refusals: string[] = []
  const client = createClient({
    urls,
    token: TOKEN,
    random,
    onRefusal: (status, text) => refusals.push(`${status} ${text}`),
  })
  let isOver = false
  let deadline = Infinity
  const happening = chaos({ members, postgres, random, size }).finally(() => {
    isOver = true
    deadline = performance.now() + PATIENCE
  })
  let started = 0
  const readers: (Awaited<ReturnType<typeof client.follow>> & { readonly run: string })[] = []
  const following = Promise.all(
    Array.from({ length: size.atOnce }, async () => {
      while (started < size.runs || !isOver) {
        started++
        const run = await client.start({ prompt: `Go, number ${started}.` })
        readers.push({ ...(await client.follow(run, () => deadline)), run })
      }
    }),
  )
  const [counts] = await Promise.all([happening, following])
  await untilIdle(journal, performance.now() + PATIENCE)
  const { problems, ...found } = await verdict(journal, effects)

  let events = 0
  let connections = 0
  for (const { run, events: read, connections: times } of readers) {
    problems.push(...problemsOf(read).map((problem) => `${run}: ${problem}`))
    const response = await fetch(`${urls[0]}/api/runs/${run}/replay?limit=10000`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const recorded = (await response.json()) as RunEvent[]
    expect(recordedOf(read), run).toEqual(recorded)
    events += recorded.length
    connections += times()
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(JSON.stringify({ seed, seconds, ...counts, connections, events, ...found }))
  expect(problems).toEqual([])
  expect(refusals).toEqual([])
  expect(found.runs).toBeGreaterThanOrEqual(size.runs)
  expect(found).toMatchObject({ ended: found.runs, doubled: 0, lost: 0, miscounted: 0 })
  // If the sum were 0, nothing would have been tested.
  expect(found.unknown + found.found + found.missing).toBeGreaterThan(0)
  const { kills, pauses, rollingRestarts, databaseRestarts } = size
  expect(counts).toEqual({ kills, pauses, rollingRestarts, databaseRestarts })
})
