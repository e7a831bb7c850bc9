// Installs and builds what is missing or out of date, and runs tests of the page: node scripts/test-page.mjs <vitest arguments>
import { spawnSync } from 'node:child_process'
import { browser, install, ready, root } from './ready.mjs'

ready()
install(browser)
const { status } = spawnSync(
  process.execPath,
  [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1
