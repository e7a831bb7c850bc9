import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
export const BUILT = join(here, '../../packages/permissions/dist')
const COUNT = 1000

/**
 * Generates shell commands, judges them with the permissions, runs allowed ones in bash, where no
 * program exists, and compares the words that bash was about to run with the judged ones. Returns
 * the counts, and each difference.
 *
 * @param {object} options
 * @param {number} options.seed
 * @param {number} options.texts the number of commands
 * @param {number} [options.from] the number of the first command
 * @param {number} [options.workers]
 * @param {string} [options.dist] the built permissions to judge with
 * @param {string} [options.match] only commands that contain this
 * @param {string} [options.without] no commands that match this pattern, because their differences
 * are known
 * @param {number} [options.shrinks] the number of differences that each worker minimizes, which
 * takes a second each
 * @param {() => boolean} [options.isStopped]
 * @param {(total: object, answer: object) => void} [options.onAnswer] called after each thousand
 * commands
 */
export async function runOracle({
  seed,
  texts,
  from = 0,
  workers = 2,
  dist = BUILT,
  match,
  without,
  shrinks = 0,
  isStopped = () => false,
  onAnswer,
}) {
  const total = { judged: 0, allowed: 0, executed: 0, approved: 0, bySet: {}, found: [] }
  let next = from
  await Promise.all(Array.from({ length: workers }, work))
  return total

  async function work() {
    const child = spawn(process.execPath, [join(here, 'worker.mjs'), dist], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    while (next < from + texts && !isStopped()) {
      const request = {
        seed,
        from: next,
        to: Math.min(next + COUNT, from + texts),
        match,
        without,
        shrinks,
      }
      next = request.to
      child.stdin.write(`${JSON.stringify(request)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`The worker ended while it ran ${JSON.stringify(request)}.`)
      const answer = JSON.parse(value)
      for (const name of ['judged', 'allowed', 'executed', 'approved']) total[name] += answer[name]
      for (const [name, count] of Object.entries(answer.bySet))
        total.bySet[name] = (total.bySet[name] ?? 0) + count
      total.found.push(...answer.found)
      onAnswer?.(total, answer)
    }
    child.stdin.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}
