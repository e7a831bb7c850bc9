// npm test [-- <vitest arguments>]: installs, builds, checks, runs every test, and ends with
// the line "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from './check.mjs'
import { browser, build, clients, install, root } from './ready.mjs'

const count = { passed: 0, failed: 0, skipped: 0 }
process.on('exit', (code) => {
  if (code !== 0 && count.failed === 0) count.failed = 1
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  if (count.failed > 0) process.exitCode = 1
})

install()
install(clients)
install(browser)
if (!build()) count.failed++
count.failed += (await check()).length
runTests(process.argv.slice(2))

/** @param {string[]} words */
function runTests(words) {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-test-'))
  const reportFile = join(folder, 'report.json')
  const options = [
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ]

  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...words],
    { cwd: root, stdio: 'inherit' },
  )

  const failedBefore = count.failed
  /** @type {Report} */
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  rmSync(folder, { recursive: true })

  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'passed') count.passed++
      else if (test.status === 'failed') count.failed++
      else {
        count.skipped++
        console.log(`skipped: ${test.fullName}`)
      }
    }
    // A file can fail without a failed test: it does not load, or a hook throws.
    const blamed = file.assertionResults.some((test) => test.status === 'failed')
    if (file.status === 'failed' && !blamed) count.failed++
  }
  // And vitest can fail without a failed file: an unhandled rejection, no test found.
  if (status !== 0 && count.failed === failedBefore) count.failed++
}

/**
 * @typedef {object} Report the output of vitest's JSON reporter
 * @property {{
 *   status: string
 *   assertionResults: { fullName: string, status: string }[]
 * }[]} testResults
 */
