import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { boxed } from './box.mjs'
import { makeWorkspace } from './workspace.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '../..')
export const BUILT = join(project, 'packages/permissions/dist')

/**
 * The state of a run, so that another run can continue it. The `source` of a command is a kind, or
 * a kind and a program.
 */
export const nothingYet = (seed) => ({
  seed,
  /** The number of the next text of each source. */
  next: {},
  judged: 0,
  /** The commands that were run. */
  executed: new Set(),
  /** The sources that have no more commands. */
  done: [],
  /** The number of commands from each source that ran their program. */
  runs: {},
  /** The reasons why commands from each source were not allowed, with counts. */
  refused: {},
  findings: [],
})

/**
 * Generates shell commands, judges them with the permissions, runs allowed ones in a box, and
 * compares the system calls with the rules. Adds figures to the state, and findings: commands with
 * effects that no rule covers.
 *
 * @param {object} options
 * @param {ReturnType<typeof nothingYet>} options.state
 * @param {() => object | undefined} options.nextJob returns the next job, `{ source, count }`;
 * undefined if nothing is left
 * @param {string} [options.dist] the built permissions to judge with
 * @param {number} [options.workers]
 * @param {string} [options.match] only commands that contain this
 * @param {string} [options.without] no commands that match this pattern, because their findings are
 * known
 * @param {boolean} [options.help] true to also read each program's help, which takes a while
 * @param {(answer: object) => void} [options.onAnswer] called after each job
 */
export async function runOracle({
  state,
  nextJob,
  dist = BUILT,
  workers = 2,
  match,
  without,
  help = true,
  onAnswer,
}) {
  const template = mkdtempSync(join(tmpdir(), 'oracle-'))
  for (const name of ['ws', 'home']) mkdirSync(join(template, name))
  makeWorkspace(join(template, 'ws'), join(template, 'home'))
  const readable = [
    project,
    ...(dist.startsWith(project) ? [] : [dist]),
    ...outside(process.execPath),
  ]
  const program = [process.execPath, join(here, 'worker.mjs'), dist]
  try {
    await Promise.all(Array.from({ length: workers }, work))
    return state
  } finally {
    rmSync(template, { recursive: true, force: true })
  }

  async function work() {
    let worker
    try {
      for (let job = nextJob(); job; job = nextJob()) {
        worker ??= start()
        const { source, count, enough } = job
        const [kind, name] = source.split('/')
        const from = job.from ?? state.next[source] ?? 0
        state.next[source] = from + count
        const answer = await worker.ask({
          kind,
          program: name,
          seed: state.seed,
          from,
          to: from + count,
          enough,
          match,
          without,
          help,
        })
        take(source, answer)
        onAnswer?.(answer)
      }
    } finally {
      await worker?.stop()
    }
  }

  function start() {
    const child = spawn('bwrap', boxed({ template, readable }, program), {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    let known = [...state.executed]
    return {
      async ask(request) {
        child.stdin.write(`${JSON.stringify({ ...request, known })}\n`)
        known = []
        const { value, done } = await lines.next()
        if (done) throw new Error(`The worker ended while it ran ${JSON.stringify(request)}.`)
        return JSON.parse(value)
      },
      /** The worker ends when there are no more requests, unless it hangs. */
      async stop() {
        child.stdin.end()
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        clearTimeout(timer)
      },
    }
  }

  function take(source, answer) {
    state.judged += answer.judged
    for (const id of answer.executed) state.executed.add(id)
    if (answer.program) state.runs[source] = (state.runs[source] ?? 0) + answer.about
    if (answer.program) {
      const refused = (state.refused[source] ??= {})
      for (const [reason, count] of Object.entries(answer.refused))
        refused[reason] = (refused[reason] ?? 0) + count
    }
    if (answer.isDone) state.done.push(source)
    state.findings.push(...answer.findings)
  }
}

/** The folder of a program that the box would not contain otherwise. */
function outside(program) {
  return /^\/(?:usr|bin|opt)\//.test(program) ? [] : [dirname(dirname(program))]
}

export function readState(file, seed) {
  if (!file || !existsSync(file)) return nothingYet(seed)
  const state = JSON.parse(readFileSync(file, 'utf8'))
  return state.seed === seed
    ? { ...nothingYet(seed), ...state, executed: new Set(state.executed) }
    : nothingYet(seed)
}

export function writeState(file, state) {
  // Renamed when complete, because a run may be stopped while it writes.
  writeFileSync(`${file}.new`, JSON.stringify({ ...state, executed: [...state.executed] }))
  renameSync(`${file}.new`, file)
}
