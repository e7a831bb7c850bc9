// Runs tests, and files that failed once more.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from './ready.mjs'

/** With more failed files than this, something is wrong that a second run will not change. */
const MAX_FILES_AGAIN = 8

/**
 * Two cores that also run a browser can be too slow for a test. Files that failed run again on their own; what passes then is
 * named, what fails again has failed. Errors that no test caught have failed, whatever a second run does.
 *
 * @param {string[]} words for vitest
 * @param {{ folder?: string, stdio?: 'inherit' | 'ignore' }} [options] where the tests are, and whether they are shown
 * @returns {{ passed: number, failed: number, skipped: number, lines: string[] }} and what is to be said about them
 */
export function runTests(words, { folder = root, stdio = 'inherit' } = {}) {
  const first = vitest(words, folder, stdio)
  const failedFiles = first.files.filter((file) => file.status === 'failed')
  const secondChance = failedFiles.length > 0 && failedFiles.length <= MAX_FILES_AGAIN
  const names = failedFiles.map((file) => file.name)
  const second = secondChance ? vitest(names, folder, stdio) : undefined
  const files = first.files.map(
    (file) => second?.files.find((again) => again.name === file.name) ?? file,
  )
  const uncaught = [...first.uncaught, ...(second?.uncaught ?? [])]
  const { count, lines } = summarize(files)
  count.failed += uncaught.length
  // Vitest can also fail without any of these: no test found.
  const { status } = second ?? first
  if (status !== 0 && count.failed === 0) count.failed = 1
  return {
    ...count,
    lines: [
      ...lines,
      ...failedFiles.flatMap((file) =>
        failures(file, second ? 'failed at first' : 'failed', folder),
      ),
      ...(second?.files ?? []).flatMap((file) => failures(file, 'failed again', folder)),
      ...uncaught.map((error) => `failed: an error that no test caught\n${firstLines(error)}`),
    ],
  }
}

/** @param {TestFile[]} files */
function summarize(files) {
  const count = { passed: 0, failed: 0, skipped: 0 }
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

  const lines = [...skipped].map(
    ([title, names]) =>
      `skipped: ${names.length === 1 ? names[0] : `${title} (${names.length} tests)`}`,
  )
  return { count, lines }
}

/**
 * @param {TestFile} file
 * @param {string} label
 * @param {string} folder
 */
function failures(file, label, folder) {
  if (file.status !== 'failed') return []
  const path = relative(folder, file.name)
  const failed = file.assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return [`${label}: ${path}\n${firstLines(file.message)}`]
  return failed.map(
    ({ fullName, failureMessages }) =>
      `${label}: ${path} > ${fullName}\n${firstLines(failureMessages?.[0])}`,
  )
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
 * @param {string} cwd
 * @param {'inherit' | 'ignore'} stdio
 * @returns {{ status: number | null, files: TestFile[], uncaught: string[] }}
 */
function vitest(words, cwd, stdio) {
  const reports = mkdtempSync(join(tmpdir(), 'toolglot-test-'))
  const reportFile = join(reports, 'report.json')
  const uncaughtFile = join(reports, 'uncaught.json')
  const options = [
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(root, 'scripts/uncaught-errors.mjs')}`,
    `--outputFile.json=${reportFile}`,
  ]
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [program, 'run', ...options, ...words], {
    cwd,
    env: { ...process.env, UNCAUGHT_ERRORS: uncaughtFile },
    stdio,
  })
  const files = JSON.parse(readFileSync(reportFile, 'utf8')).testResults
  const uncaught = JSON.parse(readFileSync(uncaughtFile, 'utf8'))
  rmSync(reports, { recursive: true })
  return { status, files, uncaught }
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
