// npm run bench -- startup FOLDER: the startup time of the command, compared with another built
// checkout. Writes bench/results/startup.json.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine } from './machine.mjs'
import { median } from './timing.mjs'

const ROUNDS = 9

const here = fileURLToPath(new URL('..', import.meta.url))
const other = process.argv[3]
const home = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))

/** @type {Record<string, string[]>} */
const lines = {
  version: ['--version'],
  parse: ['parse', '--samples'],
  permit: ['permit', 'Bash', '{"command": "git status"}'],
  exec: ['exec', 'Read', '{"file_path": "package.json"}'],
  run: ['run', '-m', 'script', 'What version is in package.json?'],
}

/** @type {{ name: string, ms: number, firstOutput: number, ratio?: number, firstOutputRatio?: number }[]} */
const figures = []
for (const [name, words] of Object.entries(lines)) {
  /** @type {Times[]} */
  const ours = []
  /** @type {Times[]} */
  const theirs = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await start(here, words))
    if (other !== undefined) theirs.push(await start(resolve(other), words))
  }
  const [ms, firstOutput] = [medianOf(ours, 'whole'), medianOf(ours, 'first')]
  const ratios = theirs.length > 0 && {
    ratio: Number((ms / medianOf(theirs, 'whole')).toFixed(2)),
    firstOutputRatio: Number((firstOutput / medianOf(theirs, 'first')).toFixed(2)),
  }
  const compared = ratios ? `, ${ratios.ratio} and ${ratios.firstOutputRatio} × ${other}` : ''
  console.log(`${name}: ${ms} ms, first output after ${firstOutput} ms${compared}`)
  figures.push({ name, ms, firstOutput, ...ratios })
}
rmSync(home, { recursive: true, force: true })

const results = { machine: describeMachine(), rounds: ROUNDS, figures }
writeFileSync(
  new URL('results/startup.json', import.meta.url),
  `${JSON.stringify(results, null, 2)}\n`,
)

/** @typedef {{ first: number, whole: number }} Times From the start of the process, in milliseconds. */

/**
 * @param {Times[]} times
 * @param {keyof Times} which
 */
function medianOf(times, which) {
  return Math.round(median(times.map((each) => each[which])))
}

/**
 * @param {string} root
 * @param {string[]} words
 * @returns {Promise<Times>}
 */
async function start(root, words) {
  const began = performance.now()
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/toolglot.js'), ...words], {
    cwd: here,
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let first = Infinity
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', () => (first = Math.min(first, performance.now() - began)))
  await once(child, 'close')
  return { first, whole: performance.now() - began }
}
