// npm run bench -- first-start [REVISION]: the time of the first `npm start` in a fresh clone,
// including install and build, until the page answers; compared with another revision, until its
// command has ended. Writes bench/results/first-start.json.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine } from './machine.mjs'
import { median } from './timing.mjs'

const ROUNDS = 3
const root = fileURLToPath(new URL('..', import.meta.url))
const other = process.argv[3]

/** @type {number[]} */
const ours = []
/** @type {number[]} */
const theirs = []
for (let round = 0; round < ROUNDS; round++) {
  ours.push(await firstStart('HEAD'))
  if (other !== undefined) theirs.push(await firstStart(other))
}
const seconds = median(ours) / 1000
const ratio = theirs.length > 0 && { ratio: Number((median(ours) / median(theirs)).toFixed(2)) }
console.log(`first start: ${seconds.toFixed(1)} s${ratio ? `, ${ratio.ratio} × ${other}` : ''}`)
const results = {
  machine: describeMachine(),
  rounds: ROUNDS,
  seconds: ours.map((each) => Number((each / 1000).toFixed(1))),
  ...(ratio && {
    other,
    otherSeconds: theirs.map((each) => Number((each / 1000).toFixed(1))),
    ...ratio,
  }),
}
writeFileSync(
  new URL('results/first-start.json', import.meta.url),
  `${JSON.stringify(results, null, 2)}\n`,
)

/**
 * Clones a revision and starts it. Resolves with the milliseconds until its page answers, or until it has ended.
 *
 * @param {string} revision
 */
async function firstStart(revision) {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-first-'))
  try {
    execFileSync('git', ['clone', '-q', root, join(folder, 'clone')])
    execFileSync('git', ['-C', join(folder, 'clone'), 'checkout', '-q', revision])
    const began = performance.now()
    const child = spawn('npm', ['start'], {
      cwd: join(folder, 'clone'),
      detached: true,
      env: { ...process.env, HOME: join(folder, 'home'), CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    await new Promise((resolve) => {
      const read = (/** @type {Buffer} */ chunk) => {
        text += chunk
        if (/#login=/.test(text)) resolve(undefined)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.on('close', resolve)
    })
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (address !== undefined) await (await fetch(`${address}/chat`)).text()
    const time = performance.now() - began
    try {
      process.kill(-(child.pid ?? 0), 'SIGTERM')
    } catch {
      // The process has ended.
    }
    console.log(`${revision}: ${(time / 1000).toFixed(1)} s`)
    return time
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
