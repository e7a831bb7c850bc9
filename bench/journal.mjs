// npm run bench -- journal: the time for recording, and the delay that it causes for other work.
// Writes bench/results/journal.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sqliteJournal } from '@toolglot/agent/node'
import { describeMachine } from './machine.mjs'

const RUNS = 500
const STEPS = 20
const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
const file = join(folder, 'journal.sqlite')
const text = 'x'.repeat(300)

const made = await start()
await made.journal.close()
const opened = await start()
const { journal } = opened

const one = await journal.open('one')
/** @type {number[]} */
const single = []
for (let step = 0; step < 1000; step++) {
  const start = performance.now()
  await one.append({ key: `${step}`, kind: 'value', value: text })
  single.push(performance.now() - start)
}

const manyBegan = performance.now()
const many = Array.from({ length: 10_000 }, (_, step) =>
  one.append({ key: `many ${step}`, kind: 'value', value: text }),
)
await Promise.all(many)
const grouped = 10_000 / ((performance.now() - manyBegan) / 1000)

const delay = monitorEventLoopDelay({ resolution: 1 })
/** @type {number[]} */
const shared = []
const logs = await Promise.all(Array.from({ length: RUNS }, (_, run) => journal.open(`run${run}`)))
delay.enable()
const began = performance.now()
await Promise.all(logs.map(live))
const rate = (RUNS * STEPS) / ((performance.now() - began) / 1000)
delay.disable()
await journal.close()
rmSync(folder, { recursive: true })

const figures = {
  'making a journal, ms': round(made.time),
  'opening it, ms': round(opened.time),
  'one append after the other, per s': round(1000 / (sum(single) / single.length)),
  ...places('one append, ms', single),
  'appends at once, per s': round(grouped),
  [`appends of ${RUNS} runs, per s`]: round(rate),
  ...places(`one append of ${RUNS} runs, ms`, shared),
  'event loop delay p50, ms': round(delay.percentile(50) / 1e6),
  'event loop delay p99, ms (goal 50)': round(delay.percentile(99) / 1e6),
}
for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`)
writeFileSync(
  new URL('results/journal.json', import.meta.url),
  `${JSON.stringify({ machine: describeMachine(), figures }, null, 2)}\n`,
)

/**
 * A run with pauses, some work, and records.
 *
 * @param {import('@toolglot/agent/journal').RunLog} log
 */
async function live(log) {
  for (let step = 0; step < STEPS; step++) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200))
    const until = performance.now() + 0.05
    while (performance.now() < until);
    const start = performance.now()
    await log.append({ key: `${step}`, kind: 'value', value: text })
    shared.push(performance.now() - start)
  }
}

async function start() {
  const began = performance.now()
  const journal = sqliteJournal({ file })
  await journal.runs()
  return { journal, time: performance.now() - began }
}

/**
 * @param {string} name
 * @param {number[]} times
 */
function places(name, times) {
  times.sort((one, other) => one - other)
  const at = (/** @type {number} */ part) => round(times[Math.floor(times.length * part)] ?? NaN)
  return { [`${name}, p50`]: at(0.5), [`${name}, p99`]: at(0.99) }
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((one, other) => one + other, 0)
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3))
}
