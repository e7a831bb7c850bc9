// npm test [-- <vitest arguments>]: installs, builds, checks, runs every test, and ends with
// the line "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { check } from './check.mjs'
import { browser, build, clients, install, root } from './ready.mjs'

/** With more failed files than this, something is wrong that a second run will not change. */
const MAX_FILES_AGAIN = 8

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
const failedChecks = await check()
count.failed += failedChecks.length
runTests(process.argv.slice(2))
for (const name of failedChecks) console.log(`failed: check ${name}`)

/** @param {string[]} words */
function runTests(words) {
  const first = vitest(words)
  const failedFiles = first.files.filter((file) => file.status === 'failed')
  const secondChance = failedFiles.length > 0 && failedFiles.length <= MAX_FILES_AGAIN
  // Two cores that also run a browser can be too slow for a test. Files that failed run again on their own; what passes then is
  // named, what fails again has failed.
  const second = secondChance ? vitest(failedFiles.map((file) => file.name)) : undefined
  const files = first.files.map(
    (file) => second?.files.find((again) => again.name === file.name) ?? file,
  )

  summarize(files)
  for (const file of failedFiles) printFailures(file, second ? 'failed at first' : 'failed')
  for (const file of second?.files ?? []) printFailures(file, 'failed again')
  // Vitest can also fail without a failed file: an unhandled rejection, no test found.
  const { status } = second ?? first
  if (status !== 0 && count.failed === failedChecks.length) count.failed++
}

/** @param {TestFile[]} files */
function summarize(files) {
  /** @type {Map<string, string[]>} */
  const skipped = new Map()

  for (const file of files) {
    for (const test of file.assertionResults) {
      if (test.status === 'passed') count.passed++
      else if (test.status === 'failed') count.failed++
      else {
        count.skipped++
        // The outermost title says why.
        const title = test.ancestorTitles[0] ?? test.fullName
        skipped.set(title, [...(skipped.get(title) ?? []), test.fullName])
      }
    }
    // A file can fail without a failed test: it does not load, or a hook throws.
    const blamed = file.assertionResults.some((test) => test.status === 'failed')
    if (file.status === 'failed' && !blamed) count.failed++
  }

  for (const [title, names] of skipped) {
    console.log(`skipped: ${names.length === 1 ? names[0] : `${title} (${names.length} tests)`}`)
  }
}

/**
 * @param {TestFile} file
 * @param {string} label
 */
function printFailures(file, label) {
  if (file.status !== 'failed') return
  const path = relative(root, file.name)
  const failed = file.assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) console.log(`${label}: ${path}\n${firstLines(file.message)}`)
  for (const { fullName, failureMessages } of failed) {
    console.log(`${label}: ${path} > ${fullName}\n${firstLines(failureMessages?.[0])}`)
  }
}

function firstLines(text = '') {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `  ${line}`)
    .join('\n')
}

/**
 * @param {string[]} words
 * @returns {{ status: number | null, files: TestFile[] }}
 */
function vitest(words) {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-test-'))
  const reportFile = join(folder, 'report.json')
  const options = [
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ]
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [program, 'run', ...options, ...words], {
    cwd: root,
    stdio: 'inherit',
  })
  const files = JSON.parse(readFileSync(reportFile, 'utf8')).testResults
  rmSync(folder, { recursive: true })
  return { status, files }
}

/**
 * @typedef {object} TestFile a file in the output of vitest's JSON reporter
 * @property {string} name its path
 * @property {string} status
 * @property {string} [message]
 * @property {{
 *   ancestorTitles: string[]
 *   fullName: string
 *   status: string
 *   failureMessages?: string[]
 * }[]} assertionResults
 */
