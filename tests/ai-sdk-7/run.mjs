// Runs the tests on the newer Node from npm that the SDK needs. On platforms whose package is not listed, this Node has to be new enough.
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
