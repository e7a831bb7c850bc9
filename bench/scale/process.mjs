// node process.mjs memory|sqlite|postgres URL RUNS TURNS TIMES: executes TIMES batches of RUNS
// simultaneous runs, and prints figures as JSON. node process.mjs worker URL CLAIM TURNS: claims
// the runs in the journal, CLAIM at a time, until there are none left.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { drive } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { migrateJournal, postgresJournal } from '@toolglot/postgres'
import { agent } from './agent.mjs'

const [kind = '', url = '', ...numbers] = process.argv.slice(2)
const [runs = 0, turns = 0, times = 0] = numbers.map(Number)
const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
const delay = monitorEventLoopDelay({ resolution: 1 })

/** @type {Record<string, () => Promise<number>>} */
const kinds = {
  memory: () => execute(memoryJournal()),
  sqlite: () => execute(sqliteJournal({ file: join(folder, 'journal.sqlite') })),
  async postgres() {
    const schema = `bench_${process.pid}`
    await migrateJournal({ url, schema })
    return execute(postgresJournal({ url, schema }))
  },
  worker: claim,
}

const began = await kinds[kind]?.()
delay.disable()
console.log(
  JSON.stringify({
    seconds: (performance.now() - (began ?? 0)) / 1000,
    loopP99: delay.percentile(99) / 1e6,
    memory: process.resourceUsage().maxRSS / 1024,
  }),
)
rmSync(folder, { recursive: true })
process.exit(0)

/**
 * Executes new runs. Returns the start time.
 *
 * @param {import('@toolglot/agent/journal').Journal} journal
 */
async function execute(journal) {
  await warmUp(journal)
  delay.enable()
  const start = performance.now()
  for (let time = 0; time < times; time++) await executeAll(journal, `run-${time}`, runs)
  return start
}

/**
 * Loads, compiles and optimizes all code first.
 *
 * @param {import('@toolglot/agent/journal').Journal} journal
 */
async function warmUp(journal) {
  for (let time = 0; time < 5; time++) await executeAll(journal, `first-${time}`, 10)
}

/**
 * @param {import('@toolglot/agent/journal').Journal} journal
 * @param {string} name
 * @param {number} count
 */
async function executeAll(journal, name, count) {
  const ids = Array.from({ length: count }, (_, number) => `${name}-${number}`)
  check(await Promise.all(ids.map((id) => drive({ ...agent(turns), journal, id, prompt: 'Go' }))))
}

/** Claims and executes runs until none is due. */
async function claim() {
  await warmUp(memoryJournal())
  const journal = postgresJournal({ url, driven: true })
  await journal.status()
  console.error('ready')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  delay.enable()
  const start = performance.now()
  /** @type {Set<Promise<void>>} */
  const driving = new Set()
  for (;;) {
    const logs = await journal.claim({ limit: runs })
    for (const log of logs) {
      const driven = drive({ ...agent(turns), journal, id: log.run, log }).then((outcome) => {
        check([outcome])
        driving.delete(driven)
      })
      driving.add(driven)
    }
    if (logs.length > 0 && driving.size < 250) continue
    if (driving.size > 0) await Promise.race([...driving])
    else if ((await journal.status()).due === 0) break
  }
  return start
}

/** @param {readonly import('@toolglot/agent').DriveOutcome[]} outcomes */
function check(outcomes) {
  const wrong = outcomes.find((each) => each.status !== 'ended' || each.text !== 'Done.')
  if (wrong) throw new Error(`a run did not end as expected: ${JSON.stringify(wrong)}`)
}
