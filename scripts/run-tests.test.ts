import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './ready.mjs'
import { runTests } from './run-tests.mjs'

/** Fails in the first run only. */
const flaky = `
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
const isFirst = !existsSync('tried')
writeFileSync('tried', '')
test('flaky', () => { if (isFirst) throw new Error('too slow') })
test.skip('left out: a reason', () => {})
`
const leaving = `test('leaves', () => { if (isFirst) void Promise.reject(new Error('left behind')) })`

// In the repository, so that imports find vitest.
function run(code: string): ReturnType<typeof runTests> {
  const folder = mkdtempSync(join(root, '.snippets-tests-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}\n')
  writeFileSync(join(folder, 'some.test.mjs'), code)
  return runTests([], { folder, stdio: 'ignore' })
}

test('what passes in a second run has passed, and is named; an error that no test caught has failed', () => {
  const { lines, ...count } = run(flaky)
  expect(count).toEqual({ passed: 1, failed: 0, skipped: 1 })
  expect(lines).toEqual([
    'skipped: left out: a reason',
    expect.stringMatching(/^failed at first: some\.test\.mjs > flaky\n +Error: too slow/),
  ])

  const left = run(`${flaky}${leaving}`)
  expect(left).toMatchObject({ passed: 2, failed: 1, skipped: 1 })
  expect(left.lines.at(-1)).toMatch(/^failed: an error that no test caught\n +Error: left behind/)
})
