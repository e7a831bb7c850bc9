// npm run bench -- one FOLDER: the speed of reading replies with a given protocol and tools, as in
// a run: answers without a call, and replies with one. Compared with another built checkout, if one
// is given: both builds alternate in one process, and the best time of each counts, since other
// programs can only slow it down. Add --quick for a shorter run.
//
// To compare with another commit: git worktree add ../before COMMIT, then npm ci and npm run build
// there, and npm run bench -- one ../before here.
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { rate } from './growth.mjs'
import { describeMachine } from './machine.mjs'
import { figurePrinter } from './report.mjs'
import { argumentHeavy, many, markdown, prose, records, textHeavy, tools } from './texts.mjs'

/** @typedef {typeof import('@toolglot/core')} Core */

const words = process.argv.slice(3)
const quick = words.includes('--quick')
const other = words.find((word) => !word.startsWith('--'))
/**
 * The number of samples, and the warm-up of each build in ms. Samples are short, so that some are
 * undisturbed.
 */
const effort = quick ? { rounds: 40, warmUp: 200 } : { rounds: 150, warmUp: 500 }
const SAMPLE = 2
const GOAL = { most: 1.1 }

/** The replies, with their numbers of calls unless every reply contains one call. */
const cases = /** @type {const} */ ([
  ['prose', prose, 0],
  ['Markdown with code', markdown, 0],
  ['Markdown that ends in a fence', (/** @type {number} */ size) => fenced(markdown(size)), 0],
  ['an answer in JSON', records, 0],
  ['an answer in JSON, in a fence', (/** @type {number} */ size) => fenced('', records(size)), 0],
  ['prose, then a call', (/** @type {number} */ size) => textHeavy(size).reply, 1],
  ['a call that writes a file', (/** @type {number} */ size) => argumentHeavy(size).reply, 1],
  ['one call after another', (/** @type {number} */ size) => many(CALL, size), undefined],
])

const CALL = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>'

const here = await readerIn(fileURLToPath(new URL('..', import.meta.url)))
const there = other === undefined ? undefined : await readerIn(resolve(other))
const onFigure = figurePrinter()
const { cpu, node, load } = describeMachine()
console.log(`${cpu}, Node ${node}, load ${load}`)
for (const kilobytes of [1, 64]) {
  for (const [name, make, known] of cases) {
    const made = make(kilobytes * 1024)
    const text = known === undefined ? made.slice(0, made.lastIndexOf(CALL) + CALL.length) : made
    const calls = known ?? text.length / CALL.length
    for (const chunk of [4, Infinity]) {
      const chunks = cut(text, chunk)
      const delivery = chunk === Infinity ? 'whole' : '4-character chunks'
      const about = { group: `hermes, ${kilobytes} KB`, name: `${name}, ${delivery}` }
      for (const found of [here(chunks), there?.(chunks) ?? calls]) {
        if (found !== calls) throw new Error(`${name}: ${found} calls instead of ${calls}.`)
      }
      onFigure(figure({ ...about, ...measured(text.length, chunks) }))
    }
  }
}

/**
 * @param {number} length
 * @param {readonly string[]} chunks
 * @returns {Pick<import('./figure.mjs').Figure, 'unit' | 'goal' | 'value' | 'detail'>}
 */
function measured(length, chunks) {
  const ours = laneOf(() => here(chunks))
  const theirs = there && laneOf(() => there(chunks))
  // An apparent miss is measured again with both builds: a single series is noisy.
  for (let again = 0; again < 4; again++) {
    for (let round = 0; round < effort.rounds; round++) {
      // Measure in both orders, so that neither build always runs first.
      if (round % 2 === 0) ours.sample()
      theirs?.sample()
      if (round % 2 === 1) ours.sample()
    }
    if (!theirs || ours.best <= GOAL.most * theirs.best) break
  }
  const speed = rate(length, ours.best)
  if (!theirs) return { unit: 'ms', value: ours.best, detail: speed }
  return {
    unit: 'x',
    goal: GOAL,
    value: ours.best / theirs.best,
    detail: `the time of ${other}: ${speed} against ${rate(length, theirs.best)}`,
  }
}

/**
 * Work that is timed repeatedly after a warm-up; `best` is the time of one run in ms.
 *
 * @param {() => unknown} run
 */
function laneOf(run) {
  const took = (/** @type {number} */ times) => {
    const began = performance.now()
    for (let i = 0; i < times; i++) run()
    return (performance.now() - began) / times
  }
  let first = Infinity
  const began = performance.now()
  while (performance.now() - began < effort.warmUp) first = Math.min(first, took(1))
  const times = Math.ceil(SAMPLE / first)
  const lane = {
    best: Infinity,
    sample() {
      lane.best = Math.min(lane.best, took(times))
    },
  }
  return lane
}

/**
 * @param {string} before
 * @param {string} [json]
 */
function fenced(before, json = records(200)) {
  return `${before}\`\`\`json\n${json}\n\`\`\``
}

/**
 * The reader of a checkout. It returns the number of calls.
 *
 * @param {string} root
 * @returns {Promise<(chunks: readonly string[]) => number>}
 */
async function readerIn(root) {
  const { createParser, parse, protocols } = /** @type {Core} */ (
    await import(pathToFileURL(join(root, 'packages/core/dist/index.js')).href)
  )
  const options = { protocols: protocols.hermes, tools }
  return (chunks) => {
    if (chunks.length === 1) return parse(chunks[0] ?? '', options).calls.length
    const parser = createParser(options)
    let calls = 0
    const see = (/** @type {import('@toolglot/core').Event[]} */ events) => {
      for (const { type } of events) if (type === 'call-end') calls++
    }
    for (const chunk of chunks) see(parser.feed(chunk))
    see(parser.end())
    return calls
  }
}
