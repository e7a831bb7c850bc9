import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './ready.mjs'
import { runTests } from './run-tests.mjs'

// In the repository, so that imports find vitest.
function run(code: string): ReturnType<typeof runTests> {
  const folder = mkdtempSync(join(root, '.snippets-tests-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}\n')
  writeFileSync(join(folder, 'some.test.mjs'), code)
  return runTests([], { folder, stdio: 'ignore' })
}

test('a test fails if it fails once, is skipped without a reason, or leaves an error behind', () => {
  const { lines, ...counts } = run(`
    import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'vitest'
    const isFirst = !existsSync('tried')
    writeFileSync('tried', '')
    test('flaky', () => { if (isFirst) throw new Error('too slow') })
    test('leaves', () => void Promise.reject(new Error('left behind')))
    test.skip('left out', () => {})
  `)
  expect(counts).toMatchObject({ passed: 1, failed: 3, skipped: 1 })
  expect(lines).toEqual([
    expect.stringMatching(/^failed: some\.test\.mjs > flaky\n +Error: too slow/),
    'failed: some.test.mjs > left out\n  skipped, but lacks no ability',
    expect.stringMatching(/^failed: an error that no test caught\n +Error: left behind/),
  ])
})

test('counts tests skipped because of a missing ability, with instructions for getting it', () => {
  const { lines, ...counts } = run(`
    import { appendFileSync } from 'node:fs'
    import { expect, test } from 'vitest'
    const path = expect.getState().testPath
    appendFileSync(process.env.TEST_RECORDS, JSON.stringify({ path, lacks: 'moon', how: 'wait' }) + '\\n')
    test.skip.each([1, 2])('at night %i', () => {})
    test('by day', () => {})
  `)
  expect(counts).toMatchObject({ passed: 1, failed: 0, skipped: 2 })
  expect(lines).toEqual(['skipped: 2 tests: no moon (wait)'])
})
