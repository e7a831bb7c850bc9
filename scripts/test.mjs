// npm test [-- <vitest arguments>]: installs, builds, checks, runs every test, and ends with
// the line "N passed, N failed, N skipped".
import { check } from './check.mjs'
import { browser, build, clients, installAll, root } from './ready.mjs'
import { runTests } from './run-tests.mjs'

const count = { passed: 0, failed: 0, skipped: 0 }
process.on('exit', (code) => {
  if (code !== 0 && count.failed === 0) count.failed = 1
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  if (count.failed > 0) process.exitCode = 1
})

await installAll([root, clients, browser])
if (!build()) count.failed++
const failedChecks = await check()
count.failed += failedChecks.length
const tests = runTests(process.argv.slice(2))
count.passed = tests.passed
count.failed += tests.failed
count.skipped = tests.skipped
for (const line of tests.lines) console.log(line)
for (const name of failedChecks) console.log(`failed: check ${name}`)
