// npm run test:changed [-- --base REV]: checks the differences from HEAD, or from REV, and runs the
// nearest tests, for about half a minute. npm test runs all tests.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, root } from './ready.mjs'
import { runTests } from './run-tests.mjs'
import { durations, quick } from './suites.mjs'

/** The budget, in seconds of CPU time. */
const BUDGET = 20
/** The assumed time of a test file that has not been measured yet. */
const UNKNOWN = 1

install()
const { values } = parseArgs({ options: { base: { type: 'string', default: 'HEAD' } } })
const git = (/** @type {string[]} */ ...words) =>
  spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
const untracked = git('ls-files', '--others', '--exclude-standard')
const changed = [...git('diff', '--name-only', values.base), ...untracked].filter((file) =>
  existsSync(join(root, file)),
)
const code = changed.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file))
if (code.length === 0) {
  console.log(`No code differs from ${values.base}.`)
  process.exit()
}

const bin = (/** @type {string} */ name) => join(root, 'node_modules/.bin', name)
let failed = 0
for (const [program, ...words] of [
  ['oxfmt', '--check', ...code],
  ['oxlint', ...code],
  ['tsc', '-b'],
]) {
  const { status } = spawnSync(bin(program ?? ''), words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed++
}
const { chosen, left } = nearest()
const outcome = chosen.length > 0 ? runTests([...quick, ...chosen]) : undefined
for (const line of outcome?.lines ?? []) console.log(line)
if (left > 0) console.log(`${left} more test files depend on the changes: npm test runs them.`)
failed += outcome?.failed ?? 0
console.log(`${outcome?.passed ?? 0} passed, ${failed} failed, ${outcome?.skipped ?? 0} skipped`)
process.exitCode = failed > 0 ? 1 : 0

/** The test files that reach a changed file through the fewest imports, up to the time budget. */
function nearest() {
  const importers = readImporters()
  /** @type {Map<string, number>} */
  const distances = new Map(code.map((file) => [file, 0]))
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  const known = existsSync(durations) ? JSON.parse(readFileSync(durations, 'utf8')) : {}
  const isBeside = (/** @type {string} */ file) =>
    code.some((each) => dirname(each) === dirname(file)) ? 0 : 1
  const tests = [...distances]
    .filter(([file]) => /(?<!\.long|\.postgres)\.test\.tsx?$/.test(file))
    .sort(([a, x], [b, y]) => x - y || isBeside(a) - isBeside(b))
  let time = 0
  const chosen = tests
    .map(([file]) => file)
    .filter((file) => {
      const more = known[file] ?? UNKNOWN
      if (time + more > BUDGET && !code.includes(file)) return false
      time += more
      return true
    })
  return { chosen, left: tests.length - chosen.length }
}

/** @returns {Map<string, string[]>} the files that import a file of the same package, or of the tests */
function readImporters() {
  const files = [...git('ls-files'), ...untracked].filter((file) => /\.(ts|tsx|mjs)$/.test(file))
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const file of files.filter((each) => existsSync(join(root, each)))) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from|import\(?) '(\.[^']+)'/g)) {
      const imported = join(dirname(file), path)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  return importers
}
