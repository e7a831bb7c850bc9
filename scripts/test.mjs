// npm test [-- <vitest arguments>]: installs, builds, checks, runs every test, and ends with
// the line "N passed, N failed, N skipped".
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from './check.mjs'
import { browser, build, clients, installAll, root, workers } from './ready.mjs'
import { runTests } from './run-tests.mjs'

const count = { passed: 0, failed: 0, skipped: 0 }
process.on('exit', (code) => {
  if (code !== 0 && count.failed === 0) count.failed = 1
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  if (count.failed > 0) process.exitCode = 1
})

await installAll([root, clients, browser, workers])
if (!build()) count.failed++
// A check and a test need what would be published: it is packed once.
const packed = mkdtempSync(join(tmpdir(), 'toolglot-packed-'))
process.on('exit', () => rmSync(packed, { recursive: true, force: true }))
process.env['PACKED'] = packed
const failedChecks = await check()
count.failed += failedChecks.length
const tests = runTests(process.argv.slice(2))
count.passed = tests.passed
count.failed += tests.failed
count.skipped = tests.skipped
for (const line of tests.lines) console.log(line)
for (const name of failedChecks) console.log(`failed: check ${name}`)
