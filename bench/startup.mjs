// npm run bench -- startup FOLDER: how long the command takes to start, compared with another built checkout.
// Writes bench/results/startup.json.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine } from './machine.mjs'
import { median } from './timing.mjs'

const ROUNDS = 9

const here = fileURLToPath(new URL('..', import.meta.url))
const other = process.argv[3]
const home = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))

/** @type {Record<string, string[]>} */
const lines = {
  version: ['--version'],
  parse: ['parse', '--samples'],
  permit: ['permit', 'Bash', '{"command": "git status"}'],
  exec: ['exec', 'Read', '{"file_path": "package.json"}'],
  run: ['run', '-m', 'script', 'What version is in package.json?'],
}

const figures = Object.entries(lines).map(([name, words]) => {
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(start(here, words))
    if (other !== undefined) theirs.push(start(resolve(other), words))
  }
  const ms = Math.round(median(ours))
  const ratio = theirs.length > 0 && { ratio: Number((ms / median(theirs)).toFixed(2)) }
  console.log(`${name}: ${ms} ms${ratio ? `, ${ratio.ratio} × ${other}` : ''}`)
  return { name, ms, ...ratio }
})
rmSync(home, { recursive: true, force: true })

const results = { machine: describeMachine(), rounds: ROUNDS, figures }
writeFileSync(
  new URL('results/startup.json', import.meta.url),
  `${JSON.stringify(results, null, 2)}\n`,
)

/**
 * @param {string} root
 * @param {string[]} words
 */
function start(root, words) {
  const began = performance.now()
  spawnSync(process.execPath, [join(root, 'packages/cli/bin/toolglot.js'), ...words], {
    cwd: here,
    env: { ...process.env, HOME: home },
  })
  return performance.now() - began
}
