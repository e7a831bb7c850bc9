// npm run test:NAME [-- ARGUMENTS]: a suite of scripts/suites.mjs. npm run test:all: the checks,
// npm test and every suite, with a table at the end, which is saved in tests/results.json.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuTime } from './cpu-time.mjs'
import { build, install, root } from './ready.mjs'
import { runTests } from './run-tests.mjs'
import { suites } from './suites.mjs'

const [name = 'all', ...words] = process.argv.slice(2)
const suite = suites[name]
if (name === 'all') await all()
else if (suite) await run(suite)
else throw new Error(`No suite named ${name}. Known suites: ${Object.keys(suites).join(', ')}, all`)

/** @param {import('./suites.mjs').Suite} suite */
async function run({ installs = [], setup, commands = [], vitest }) {
  install()
  for (const folder of installs) install(join(root, folder))
  if (!build()) process.exit(1)
  /** @type {SetUp} */
  const { env = {}, wrap = [], tearDown } = setup ? await (await setup()).setUp() : {}
  let failed = 0
  for (const command of commands) {
    const given = vitest ? command : [...command, ...words]
    const { status } = spawnSync(process.execPath, given, { cwd: root, stdio: 'inherit' })
    if (status !== 0) failed++
  }
  const seed = process.env['LAWS_SEED'] ?? String(Date.now() | 0)
  const outcome = vitest
    ? runTests([...vitest(), ...words], { env: { TESTS: 'all', LAWS_SEED: seed, ...env }, wrap })
    : { passed: commands.length - failed, failed: 0, skipped: 0, lines: [] }
  await tearDown?.()
  for (const line of outcome.lines) console.log(line)
  if (vitest) console.log(`To try the same again: LAWS_SEED=${seed} npm run test:${name}`)
  failed += outcome.failed
  console.log(`${outcome.passed} passed, ${failed} failed, ${outcome.skipped} skipped`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function all() {
  const rows = []
  const began = Date.now()
  const list = ['check', 'test', ...Object.keys(suites)]
  for (const [at, each] of list.entries()) {
    console.error(`${at + 1} of ${list.length}: ${each} (${minutes(Date.now() - began)} so far)`)
    rows.push({ suite: each, ...(await one(each)) })
  }
  console.table(rows)
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
  const results = {
    commit: git('rev-parse', 'HEAD'),
    clean: git('status', '--porcelain') === '',
    ended: new Date().toISOString(),
    node: process.version,
    suites: rows,
  }
  writeFileSync(join(root, 'tests/results.json'), `${JSON.stringify(results, null, 2)}\n`)
  process.exitCode = rows.some(({ failed }) => failed > 0) ? 1 : 0
}

/**
 * Runs a suite in a separate process, and prints its output.
 *
 * @param {string} name
 */
async function one(name) {
  const words =
    name === 'test' || name === 'check'
      ? [`scripts/${name}.mjs`]
      : ['scripts/suite.mjs', name, ...(suites[name]?.short ?? [])]
  const began = Date.now()
  const cpu = cpuTime()
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let last = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text)
    last = (last + text).slice(-1000)
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  const [, passed, failed, skipped] =
    /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(last) ?? []
  return {
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0) || (code === 0 ? 0 : 1),
    skipped: Number(skipped ?? 0),
    time: minutes(Date.now() - began),
    cpu: minutes(1000 * (cpuTime() - cpu)),
  }
}

/** @param {number} milliseconds */
function minutes(milliseconds) {
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * @typedef {object} SetUp
 * @property {Record<string, string>} [env] for the tests
 * @property {readonly string[]} [wrap] a program with arguments that runs vitest, whose command line follows
 * @property {() => Promise<void>} [tearDown]
 */
