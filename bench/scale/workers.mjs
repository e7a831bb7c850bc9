// Workers in separate processes, which claim the runs of one journal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { drive } from '@toolglot/agent'
import { migrateJournal, postgresJournal } from '@toolglot/postgres'
import { figure, number } from '../figure.mjs'
import { agent } from './agent.mjs'
import { median } from './median.mjs'

const TURNS = 10
const program = fileURLToPath(new URL('process.mjs', import.meta.url))
const SIZES = [
  { runs: 10, rounds: 5 },
  { runs: 100, rounds: 3 },
  { runs: 1000, rounds: 2 },
]
const WORKERS = [1, 2, 4]

/** @param {string} url */
export async function* measure(url) {
  await migrateJournal({ url })
  for (const { runs, rounds } of SIZES) {
    /** @type {Map<number, number[]>} */
    const rates = new Map(WORKERS.map((count) => [count, []]))
    for (let round = 0; round < rounds; round++)
      for (const count of WORKERS) rates.get(count)?.push(await rate(url, runs, count))
    for (const count of WORKERS) {
      const all = rates.get(count) ?? []
      yield figure({
        group: `${runs} runs that are claimed on Postgres`,
        name: `turns with ${count} ${count === 1 ? 'worker' : 'workers'}`,
        value: median(all),
        unit: '/s',
        detail: `rounds: ${all.map(number).join(', ')}`,
      })
    }
  }
}

/**
 * Prepares runs, and measures the time that workers take for them.
 *
 * @param {string} url
 * @param {number} runs
 * @param {number} count
 */
async function rate(url, runs, count) {
  const journal = postgresJournal({ url, driven: true })
  const release = AbortSignal.abort()
  const options = { ...agent(TURNS), journal, release, prompt: 'Go' }
  const prefix = crypto.randomUUID().slice(0, 8)
  await Promise.all(
    Array.from({ length: runs }, (_, number) => drive({ ...options, id: `${prefix}-${number}` })),
  )
  // Small enough that all workers get some.
  const claim = Math.min(20, Math.ceil(runs / count / 2))
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url, claim)))
  const began = performance.now()
  await Promise.all(workers.map((work) => work()))
  const seconds = (performance.now() - began) / 1000
  const { due, running } = await journal.status()
  await journal.close()
  if (due + running > 0) throw new Error(`${due + running} runs have not ended`)
  return (runs * TURNS) / seconds
}

/**
 * Starts a worker. It begins when it gets a message.
 *
 * @param {string} url
 * @param {number} claim the number of runs to claim at a time
 */
async function startWorker(url, claim) {
  const words = [program, 'worker', url, String(claim), String(TURNS)]
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (errors += text))
  const ended = once(child, 'exit')
  await once(child.stderr, 'data')
  return async () => {
    child.stdin.write('go\n')
    const [code] = await ended
    if (code !== 0) throw new Error(`a worker failed: ${errors}`)
  }
}
