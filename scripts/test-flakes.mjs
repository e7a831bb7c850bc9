// npm run test:flakes [-- --runs 10 --loaded 5]: runs the tests of npm test repeatedly, partly
// under the load of two busy loops, and lists each test that failed at least once.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { browser, build, clients, installAll, root, workers } from './ready.mjs'
import { runTests } from './run-tests.mjs'
import { quick } from './suites.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '10' },
    loaded: { type: 'string', default: '5' },
  },
})
await installAll([root, clients, browser, workers])
if (!build()) process.exit(1)
const runs = Number(values.runs)
/** @type {Map<string, number>} */
const failures = new Map()
const sum = { passed: 0, failed: 0, skipped: 0 }
for (let run = 0; run < runs; run++) {
  const isLoaded = run < Number(values.loaded)
  const busy = Array.from({ length: isLoaded ? 2 : 0 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);']),
  )
  const began = Date.now()
  const outcome = runTests([...quick, ...positionals], { stdio: 'ignore' })
  for (const process of busy) process.kill()
  const seconds = Math.round((Date.now() - began) / 1000)
  const { passed, failed, skipped } = outcome
  console.log(
    `run ${run + 1} of ${runs}${isLoaded ? ', loaded' : ''}: ${passed} passed, ${failed} failed, ${seconds} s`,
  )
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
  for (const line of outcome.lines.filter((each) => each.startsWith('failed: '))) {
    console.log(line)
    const [title = ''] = line.split('\n')
    failures.set(title, (failures.get(title) ?? 0) + 1)
  }
}
for (const [title, times] of failures) console.log(`${times} of ${runs}: ${title}`)
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed > 0 ? 1 : 0
