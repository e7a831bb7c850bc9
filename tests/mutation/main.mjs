// npm run test:mutation -- [AREA ...] [--mutants 300] [--seed 1] [--budget 5] [--match TEXT]
// [--report FILE] [--again FILE] [--slow] Makes small changes to the code, and counts how many of
// these mutants are not detected by any test.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../scripts/ready.mjs'
import { areas } from './areas.mjs'
import { mutantsIn } from './mutants.mjs'
import { sampleOf } from './sample.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    // The seconds of tests that a mutant must survive.
    budget: { type: 'string', default: '5' },
    match: { type: 'string', default: '' },
    report: { type: 'string' },
    // Run only the mutants that survived in this report.
    again: { type: 'string' },
    // All tests, including those that are too slow for many mutants.
    slow: { type: 'boolean', default: false },
  },
})
/** The time limit for a complete test run with a mutant, in milliseconds. */
const LONGEST = 60_000
/** A worker without output for this many milliseconds hangs. */
const PATIENCE = 120_000
const PACKAGES = ['core', 'permissions', 'agent'].map((each) => `packages/${each}/src/`)
const again = values.again && new Set(survivorsIn(values.again))
const rows = []
/** @type {object[]} */
const report = []

for (const name of positionals.length > 0 ? positionals : Object.keys(areas)) {
  const area = areas[name]
  if (!area) throw new Error(`No area named ${name}. Known areas: ${Object.keys(areas).join(', ')}`)
  const began = Date.now()
  const all = sourcesOf(area).flatMap((path) =>
    mutantsIn(path, readFileSync(join(root, path), 'utf8')),
  )
  const mutants = sampleOf(all, Number(values.mutants), values.seed)
    .map((mutant, index) => ({ ...mutant, id: index + 1 }))
    .filter(({ key }) => key.includes(values.match) && (!again || again.has(key)))
  const lines = await run(name, values.slow ? { ...area, without: [] } : area, mutants)
  const survivors = mutants.filter(({ id }) => !isKilled(lines.get(id)))
  console.log(`\n${name}: these mutants survived`)
  for (const { id, path, line, kind, before, after } of survivors)
    console.log(
      `${path}:${line} ${kind} [${lines.get(id)?.outcome}, ${lines.get(id)?.test ?? ''}]\n  - ${before.slice(0, 300)}\n  + ${after.slice(0, 300)}`,
    )
  report.push(...mutants.map((mutant) => ({ area: name, ...mutant, ...lines.get(mutant.id) })))
  const score = 1 - survivors.length / mutants.length
  rows.push({
    area: name,
    possible: all.length,
    mutants: mutants.length,
    killed: mutants.length - survivors.length,
    score: `${(100 * score).toFixed(1)} %`,
    minutes: Number(((Date.now() - began) / 60_000).toFixed(1)),
  })
  if (score < area.floor && !values.match && !again) {
    console.log(`${name}: fewer than ${100 * area.floor} % of the mutants were killed`)
    process.exitCode = 1
  }
}
console.table(rows)
if (values.report) writeFileSync(values.report, JSON.stringify(report, null, 1))

/** @typedef {{ id: number, outcome: string, test?: string, error?: string }} Line */

/** @param {Line | undefined} line */
function isKilled(line) {
  return ['killed', 'hung'].includes(line?.outcome ?? '')
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function survivorsIn(file) {
  /** @type {(Line & { key: string })[]} */
  const lines = JSON.parse(readFileSync(file, 'utf8'))
  return lines.filter((line) => !isKilled(line)).map(({ key }) => key)
}

/** @param {import('./areas.mjs').Area} area */
function sourcesOf({ sources, except }) {
  return sources
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => folder + path,
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => !except.some((prefix) => path.startsWith(prefix)))
    .sort()
}

/**
 * Runs mutants in a process. If it hangs, another process runs the remaining ones.
 *
 * @param {string} name
 * @param {import('./areas.mjs').Area} area
 * @param {readonly (import('./mutants.mjs').Mutant & { id: number })[]} mutants
 */
async function run(name, area, mutants) {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-mutation-'))
  const results = join(folder, 'results.jsonl')
  const path = join(folder, 'plan.json')
  /** @type {Map<number, Line>} */
  const lines = new Map()
  for (let starts = 0; starts < 30; starts++) {
    const ids = mutants.map(({ id }) => id).filter((id) => !lines.has(id))
    if (ids.length === 0) break
    const budget = 1000 * Number(values.budget)
    writeFileSync(
      path,
      JSON.stringify({
        ids,
        mutants,
        area,
        files: area.tests,
        packages: PACKAGES,
        results,
        budget,
      }),
    )
    const before = lines.size
    await vitest(path, results, () => {
      const done = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : []
      process.stderr.write(
        `\r${name}: ${done.filter((line) => !line.includes('"begins"')).length} of ${mutants.length} `,
      )
    })
    let last = 0
    for (const text of existsSync(results)
      ? readFileSync(results, 'utf8').trim().split('\n')
      : []) {
      /** @type {Line} */
      const line = JSON.parse(text)
      if (line.outcome === 'left out') {
        if (starts === 0) console.log(`Left out because it fails: ${line.test}\n  ${line.error}`)
      } else if (line.outcome === 'begins') last = line.id
      else if (line.id !== 0) lines.set(line.id, line)
    }
    if (last > 0 && !lines.has(last)) lines.set(last, { id: last, outcome: 'hung' })
    if (lines.size === before) throw new Error('Vitest ran no mutant.')
    // The results of the process are in `lines`.
    rmSync(results, { force: true })
  }
  // Code that runs while files load ran without its mutant: each of these needs a separate process.
  for (const [id, line] of lines) {
    if (line.outcome !== 'loaded') continue
    const plan = { ids: [id], always: id, mutants, area, files: area.tests, packages: PACKAGES }
    writeFileSync(path, JSON.stringify({ ...plan, results, budget: 0 }))
    const code = await vitest(path, results, () => {}, ['--bail=1'], LONGEST)
    lines.set(id, { ...line, outcome: code === 1 ? 'killed' : 'survived' })
  }
  rmSync(folder, { recursive: true })
  return lines
}

/**
 * @param {string} plan
 * @param {string} results
 * @param {() => void} onProgress
 * @param {readonly string[]} [more]
 * @param {number} [longest]
 * @returns {Promise<number | null>}
 */
function vitest(plan, results, onProgress, more = [], longest = Infinity) {
  const words = [
    'run',
    '--config',
    'tests/mutation/vitest.config.mjs',
    '--reporter=dot',
    '--silent',
    ...more,
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), ...words],
      {
        cwd: root,
        env: { ...process.env, MUTATION_PLAN: plan, LAWS_RUNS: process.env['LAWS_RUNS'] ?? '20' },
        stdio: ['ignore', process.env['MUTATION_DEBUG'] ? 'inherit' : 'ignore', 'inherit'],
        // The workers end together with the process.
        detached: true,
      },
    )
    const began = Date.now()
    const timer = setInterval(() => {
      onProgress()
      const at = existsSync(results) ? statSync(results).mtimeMs : began + 3 * PATIENCE
      const isOver = Date.now() - at > PATIENCE || Date.now() - began > longest
      if (isOver && child.pid) process.kill(-child.pid, 'SIGKILL')
    }, 2000)
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(timer)
      resolve(code)
    })
  })
}
