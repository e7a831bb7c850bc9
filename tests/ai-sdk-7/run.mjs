// Runs the tests with a newer Node from npm, which the SDK requires. On platforms that are not
// listed, the current Node must be new enough.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const installed = join(folder, 'node_modules/.bin/node')
const node = existsSync(installed) ? installed : process.execPath
const { status } = spawnSync(node, ['--test', join(folder, 'ai-sdk-7.test.ts')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
