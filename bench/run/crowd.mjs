// 500 runs in one process, one of which tries to delay the others.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collect, run } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { figure, number } from '../figure.mjs'
import { callWeather, weather } from './weather.mjs'

const RUNS = 500
const TURNS = 10
const LOOPS = 2000
const SIZE = 10_000_000

/** @typedef {import('@toolglot/agent/journal').Journal} Journal */
/** @typedef {import('@toolglot/agent').RunOptions} RunOptions */

/** @type {Record<string, () => Pick<RunOptions, 'model' | 'limits'>>} */
const hostile = {
  'a tight loop': () => ({
    model: saying((turn) => [callWeather(turn)], LOOPS),
    limits: { maxIterations: LOOPS + 1, maxToolCalls: LOOPS + 1 },
  }),
  '10 MB in one chunk': () => ({ model: saying(() => [filled('All is well. ')]) }),
  '10 MB in tiny chunks': () => ({ model: saying(() => chopped(filled('All is well. '), 8)) }),
  '10 MB of calls': () => ({ model: saying(() => [filled(callWeather(0))], 1) }),
  '10 MB of broken calls': () => ({ model: saying(() => [filled('<tool_call>{"name": "x", ')]) }),
}

export async function measure() {
  const figures = [await floor()]
  for (const [name, make] of Object.entries(hostile)) {
    figures.push(await crowd(`${name}, memory`, make, memoryJournal()))
    const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
    const journal = sqliteJournal({ file: join(folder, 'journal.sqlite') })
    figures.push(await crowd(`${name}, SQLite`, make, journal))
    await journal.close()
    rmSync(folder, { recursive: true })
  }
  return figures
}

/** The delay on this machine if no work takes more than 8 ms at a time. */
async function floor() {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const end = performance.now() + 3000
  while (performance.now() < end) {
    const until = performance.now() + 8
    while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve))
  }
  delay.disable()
  return figure({
    group: 'no run',
    name: '8 ms of work at a time',
    value: delay.percentile(99) / 1e6,
    unit: 'ms',
    detail: `event loop delay p99, on this machine now; maximum ${number(delay.max / 1e6)} ms`,
  })
}

/**
 * @param {string} name
 * @param {() => Pick<RunOptions, 'model' | 'limits'>} make
 * @param {Journal} journal
 */
async function crowd(name, make, journal) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = performance.now()
  const options = { tools: [weather()], prompt: 'What is the weather?', journal }
  const bad = collect(run({ ...options, ...make() })).then((result) => ({
    result,
    took: performance.now() - began,
  }))
  const good = Array.from({ length: RUNS - 1 }, () =>
    collect(run({ ...options, model: thinking() })),
  )
  const ended = await Promise.all(good)
  const { result, took } = await bad
  delay.disable()
  const wrong = ended.filter(
    ({ reason, calls, text }) => reason !== 'answer' || calls.length !== TURNS || text !== 'Done.',
  )
  if (wrong.length > 0) throw new Error(`${wrong.length} runs did not end as expected`)
  const at = (/** @type {number} */ part) => number(delay.percentile(part) / 1e6)
  return figure({
    group: `${RUNS} runs`,
    name,
    value: delay.percentile(99) / 1e6,
    unit: 'ms',
    goal: { most: 50 },
    detail: `event loop delay p99; p50 ${at(50)}, maximum ${number(delay.max / 1e6)} ms; the hostile one ended as ${result.reason} after ${number(took / 1000)} s`,
  })
}

/** A model that takes some time, but less than a real one. */
function thinking() {
  const wait = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 100))
  return saying((turn) => chopped(callWeather(turn), 16), TURNS, wait)
}

/**
 * A model that replies with the given pieces of text in each turn, and ends after `turns` turns, if
 * given.
 *
 * @param {(turn: number) => Iterable<string>} says
 * @param {number} turns
 * @param {() => Promise<unknown>} [wait] before each piece
 * @returns {RunOptions['model']}
 */
function saying(says, turns = Infinity, wait) {
  let turn = 0
  return {
    name: 'script hermes',
    async *reply() {
      for (const delta of turn === turns ? ['Done.'] : says(turn)) {
        if (wait) await wait()
        yield { type: 'text', delta }
      }
      turn++
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

/** @param {string} text */
function filled(text) {
  return text.repeat(SIZE / text.length)
}

/**
 * @param {string} text
 * @param {number} size
 */
function* chopped(text, size) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
