// Runs vitest once, without retries.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from './ready.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} lines what failed, and the abilities that this machine lacks
 * @property {Map<string, number>} cpu the CPU time of each test file, in seconds
 *
 * @param {readonly string[]} words for vitest
 * @param {{ folder?: string, env?: Record<string, string>, wrap?: readonly string[], stdio?: 'inherit' | 'ignore' }} [options]
 *   `wrap`: a program with arguments that runs vitest, whose command line follows
 * @returns {Outcome}
 */
export function runTests(words, { folder = root, env = {}, wrap = [], stdio = 'inherit' } = {}) {
  const { status, files, uncaught, records } = vitest([...wrap], words, folder, env, stdio)
  /** @type {Map<string, number>} */
  const cpu = new Map()
  for (const { path, cpu: seconds } of records)
    if (seconds !== undefined) cpu.set(relative(folder, path), seconds)
  const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ file, ...test })))
  const failed = tests.filter((test) => test.status === 'failed')
  // A file can fail without a failed test, if it does not load or a hook throws.
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const skipped = tests.filter((test) => !['passed', 'failed'].includes(test.status))
  const { lines: lacking, unexplained } = explain(skipped, records)
  const failures = [
    ...failed.map(({ file, fullName, failureMessages }) =>
      entry(`${relative(folder, file.name)} > ${fullName}`, failureMessages?.[0]),
    ),
    ...broken.map(({ name, message }) => entry(relative(folder, name), message)),
    ...unexplained.map(({ file, fullName }) =>
      entry(`${relative(folder, file.name)} > ${fullName}`, 'skipped, but lacks no ability'),
    ),
    ...uncaught.map((error) => entry('an error that no test caught', error)),
  ]
  // Vitest can also fail without any of these, for example if it found no test.
  if (status !== 0 && failures.length === 0) failures.push('failed: vitest')
  return {
    passed: tests.length - failed.length - skipped.length,
    failed: failures.length,
    skipped: skipped.length,
    lines: [...lacking, ...failures],
    cpu,
  }
}

/**
 * One line for each ability that this machine lacks. Tests record missing abilities: see
 * tests/helpers/abilities.ts.
 *
 * @param {readonly { file: TestFile, fullName: string }[]} skipped
 * @param {readonly TestRecord[]} records
 */
function explain(skipped, records) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const unexplained = []
  for (const test of skipped) {
    const lacks = records.filter((each) => each.path === test.file.name && each.lacks)
    const why = [...new Set(lacks.map((each) => `no ${each.lacks} (${each.how})`))].join(' or ')
    if (why === '') unexplained.push(test)
    else counts.set(why, (counts.get(why) ?? 0) + 1)
  }
  const lines = [...counts].map(([why, count]) => `skipped: ${count} tests: ${why}`)
  return { lines, unexplained }
}

/**
 * @param {string} title
 * @param {string} [message]
 */
function entry(title, message = '') {
  const first = message.split('\n').slice(0, 12)
  return [`failed: ${title}`, ...first].join('\n  ')
}

/**
 * @param {readonly string[]} wrap
 * @param {readonly string[]} words
 * @param {string} cwd
 * @param {Record<string, string>} env
 * @param {'inherit' | 'ignore'} stdio
 * @returns {{ status: number | null, files: TestFile[], uncaught: string[], records: TestRecord[] }}
 */
function vitest(wrap, words, cwd, env, stdio) {
  const reports = mkdtempSync(join(tmpdir(), 'toolglot-test-'))
  const report = join(reports, 'report.json')
  const uncaught = join(reports, 'uncaught.json')
  const records = join(reports, 'records.jsonl')
  const options = [
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(root, 'scripts/uncaught-errors.mjs')}`,
    `--outputFile.json=${report}`,
  ]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const [program = '', ...rest] = [...wrap, process.execPath, vitest, 'run', ...options, ...words]
  const { status } = spawnSync(program, rest, {
    cwd,
    env: { ...process.env, ...env, UNCAUGHT_ERRORS: uncaught, TEST_RECORDS: records },
    stdio,
  })
  const read = (/** @type {string} */ file) =>
    existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const outcome = {
    status,
    files: JSON.parse(read(report) ?? '{"testResults":[]}').testResults,
    uncaught: JSON.parse(read(uncaught) ?? '[]'),
    records: (read(records) ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  }
  rmSync(reports, { recursive: true })
  return outcome
}

/**
 * @typedef {{ path: string, cpu?: number, lacks?: string, how?: string }} TestRecord
 * @typedef {object} TestFile a file in the output of vitest's JSON reporter
 * @property {string} name its path
 * @property {string} status
 * @property {string} [message]
 * @property {{ fullName: string, status: string, failureMessages?: string[] }[]} assertionResults
 */
