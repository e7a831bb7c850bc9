import { spawnSync } from 'node:child_process'
import { root } from './ready.mjs'

/**
 * Runs the tests of a folder that has its own packages and its own configuration of vitest, with the arguments of this process.
 *
 * @param {string} folder
 */
export function testFolder(folder) {
  const { status } = spawnSync(
    process.execPath,
    [
      `${root}/node_modules/vitest/vitest.mjs`,
      'run',
      `--config=${folder}/vitest.config.ts`,
      ...process.argv.slice(2),
    ],
    { cwd: root, stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}
