// Runs before each test file. Property tests are reproducible: the same cases on every machine.
// LAWS_SEED=123 uses another seed, LAWS_SEED=random a new one each time. If TEST_RECORDS names a
// file, the CPU time of the test file is added to it.
import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { cpuTime } from './cpu-time.mjs'

const seed = process.env['LAWS_SEED'] ?? '20261115'
fc.configureGlobal({ seed: seed === 'random' ? Date.now() | 0 : Number(seed) })

const { TEST_RECORDS: records, TEST_CPU: before = '0' } = process.env
const { testPath: path } = expect.getState()
if (records)
  afterAll(() => {
    const now = cpuTime()
    appendFileSync(records, `${JSON.stringify({ path, cpu: now - Number(before) })}\n`)
    // Test files in the same process share its environment.
    process.env['TEST_CPU'] = String(now)
  })
