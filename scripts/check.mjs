// npm run check: format, lint, types, imports, folders, phrases, size and packaging; no tests.
import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { browser, clients, install, memory, ready, root } from './ready.mjs'

/** @type {Record<string, string>} */
const checks = {
  format: 'oxfmt --check',
  lint: 'oxlint',
  types: 'tsc -p tsconfig.test.json --checkers 1',
  'types of the page': 'tsc -p packages/web --checkers 1',
  'types of its tests': 'tsc -p tests/e2e --checkers 1',
  imports: 'node scripts/check-imports.mjs',
  folders: 'node scripts/folder-map.mjs',
  shape: 'node scripts/shape.mjs',
  phrases: 'node scripts/check-phrases.mjs',
  size: 'node scripts/check-size.mjs',
  lock: 'node scripts/check-lock.mjs',
  unused: 'knip',
  packages: 'node scripts/check-packages.mjs',
}

/**
 * Runs every check, two at a time, and prints the output of those that fail.
 *
 * @returns {Promise<string[]>} the names of the checks that failed
 */
export async function check() {
  const waiting = Object.entries(checks)
  /** @type {string[]} */
  const failed = []

  async function work() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, command] = next
      const began = performance.now()
      const { code, output } = await run(command)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)

      if (code === 0) {
        const summary = command.startsWith('node scripts/') ? output.trim() : ''
        console.log(`✓ ${name.padEnd(20)} ${seconds} s  ${summary}`.trimEnd())
      } else {
        failed.push(name)
        console.log(`✗ ${name.padEnd(20)} ${seconds} s  ${command}\n${output}`)
      }
    }
  }

  await Promise.all([work(), work()])
  return failed
}

/**
 * @param {string} command
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command) {
  const [program = '', ...words] = command.split(' ')
  const env = { ...process.env, ...memory, PATH: `${root}/node_modules/.bin:${process.env.PATH}` }

  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ready()
  // Installed because their types are checked with ours.
  install(clients)
  install(browser)
  const failed = await check()
  if (failed.length > 0) process.exitCode = 1
}
