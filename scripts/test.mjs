// npm test [-- <vitest arguments>]: installs, builds and tests, and ends with the line "N passed, N failed, N skipped". With
// arguments, such as packages/core, only those tests run. `npm run check` is separate; CI runs both.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cpuTime, slowness } from './cpu-time.mjs'
import { browser, build, clients, installAll, root, workers } from './ready.mjs'
import { runTests } from './run-tests.mjs'
import { durations, quick } from './suites.mjs'

const words = process.argv.slice(2)
const count = { passed: 0, failed: 0, skipped: 0 }
process.on('exit', (code) => {
  if (code !== 0 && count.failed === 0) count.failed = 1
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  if (count.failed > 0) process.exitCode = 1
})

await installAll([root, clients, browser, workers])
if (!build()) count.failed++
// Tests in several files need the published packages, so they are packed once.
const packed = mkdtempSync(join(tmpdir(), 'toolglot-packed-'))
process.on('exit', () => rmSync(packed, { recursive: true, force: true }))
process.env['PACKED'] = packed
const before = cpuTime()
const tests = runTests([...quick, ...words])
count.passed = tests.passed
count.skipped = tests.skipped
const lines = [...tests.lines]
if (words.length === 0) {
  mkdirSync(dirname(durations), { recursive: true })
  writeFileSync(durations, JSON.stringify(Object.fromEntries(tests.cpu)))
  lines.push(...overBudget())
}
count.failed += tests.failed + lines.length - tests.lines.length
for (const line of lines) console.log(line)

/** Prints the CPU time of each package, and returns those whose tests exceed their budget. */
function overBudget() {
  /** @type {Record<string, number>} in seconds, on the machine that `slowness` compares with */
  const budgets = JSON.parse(readFileSync(join(root, 'tests/budgets.json'), 'utf8'))
  /** @type {Record<string, number>} */
  const used = { total: cpuTime(), 'install, build': before }
  for (const [file, seconds] of tests.cpu) {
    const part = file
      .split('/')
      .slice(0, file.startsWith('packages/') ? 2 : 1)
      .join('/')
    used[part] = (used[part] ?? 0) + seconds
  }
  const slow = slowness()
  const parts = Object.entries(used).map(([part, seconds]) => {
    const budget = Math.round((budgets[part] ?? 0) * slow)
    return { part, seconds: Math.round(seconds), budget }
  })
  console.log(
    `CPU in seconds (budget): ${parts.map((each) => `${each.part} ${each.seconds} (${each.budget})`).join(', ')}`,
  )
  return parts
    .filter(({ seconds, budget }) => seconds > budget)
    .map(
      ({ part, seconds, budget }) => `failed: ${part} took ${seconds} s of CPU time, of ${budget}`,
    )
}
