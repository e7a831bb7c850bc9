import { spawn } from 'node:child_process'
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

export const KINDS = ['grammar', 'options', 'here']
const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '../..')

/**
 * Makes texts, lets permissions judge them, runs those that are allowed in a box, and compares what the kernel saw with the
 * rules. Returns figures, and findings: texts that did something that no rule covers.
 *
 * @param {object} options
 * @param {number} options.seed
 * @param {Partial<Record<string, [number, number]>>} options.ranges for each kind, the numbers of texts: from, to
 * @param {string} [options.dist] the built permissions to judge with
 * @param {number} [options.workers]
 * @param {ReadonlySet<number>} [options.executed] texts that were run before
 * @param {Record<string, number>} [options.byProgram] how often each program was run before
 * @param {number} [options.enough] a program that was run this often is only judged
 * @param {string} [options.match] only texts that contain this
 * @param {boolean} [options.help] whether to ask each program for its options, too; that takes a while
 * @param {(answer: object) => void} [options.onAnswer] called after each batch
 */
export async function runOracle({
  seed,
  ranges,
  dist,
  workers = 2,
  batch = 200,
  executed = new Set(),
  byProgram = {},
  enough = 52,
  match,
  help = true,
  onAnswer,
}) {
  const built = dist ?? join(project, 'packages/permissions/dist')
  const folder = mkdtempSync(join(tmpdir(), 'oracle-'))
  const template = join(folder, 'template')
  for (const name of ['template/ws', 'template/home'])
    mkdirSync(join(folder, name), { recursive: true })
  makeWorkspace(join(template, 'ws'), join(template, 'home'))
  const jobs = Object.entries(ranges).flatMap(([kind, [from, to]]) =>
    Array.from({ length: Math.ceil((to - from) / batch) }, (_, at) => ({
      ...{
        kind,
        seed,
        match,
        help,
        from: from + at * batch,
        to: Math.min(to, from + (at + 1) * batch),
      },
      part: at / Math.ceil((to - from) / batch),
    })),
  )
  // All kinds side by side.
  jobs.sort((one, other) => one.part - other.part)
  const total = {
    judged: 0,
    executed: new Set(executed),
    byProgram: { ...byProgram },
    findings: [],
  }
  try {
    await Promise.all(
      Array.from({ length: Math.min(workers, jobs.length) }, (_, number) => work(number)),
    )
    return total
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }

  async function work(number) {
    const [workspace, home] = ['ws', 'home'].map((name) => join(folder, `${number}/${name}`))
    for (const each of [workspace, home]) mkdirSync(each, { recursive: true })
    const readable = [project, template, ...(built.startsWith(project) ? [] : [built])]
    const program = [process.execPath, join(here, 'worker.mjs'), built, template]
    const child = spawn(
      'bwrap',
      boxed({ workspace, home, readable: [...readable, ...outside(process.execPath)] }, program),
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    let known = [...executed]
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    try {
      for (let job = jobs.shift(); job; job = jobs.shift()) {
        const full = Object.entries(total.byProgram).flatMap(([name, count]) =>
          count >= enough ? [name] : [],
        )
        child.stdin.write(`${JSON.stringify({ ...job, full, known })}\n`)
        known = []
        const { value, done } = await lines.next()
        if (done) throw new Error(`The worker ended while it ran ${JSON.stringify(job)}.`)
        const answer = JSON.parse(value)
        total.judged += answer.judged
        for (const id of answer.executed) total.executed.add(id)
        for (const [name, count] of Object.entries(answer.byProgram))
          total.byProgram[name] = (total.byProgram[name] ?? 0) + count
        total.findings.push(...answer.findings)
        onAnswer?.(answer, total)
      }
    } finally {
      child.stdin.end()
      child.kill()
    }
  }
}

/** The folder of a program that the box doesn't have anyway. */
function outside(program) {
  return /^\/(?:usr|bin|opt)\//.test(program) ? [] : [dirname(dirname(program))]
}

/** Figures of earlier runs with the same seed, so that a run can go on. */
export function readState(file, seed) {
  const empty = { seed, next: {}, judged: 0, executed: [], byProgram: {}, findings: [] }
  if (!existsSync(file)) return empty
  const state = JSON.parse(readFileSync(file, 'utf8'))
  return state.seed === seed ? state : empty
}

export function writeState(file, state) {
  // A run may be stopped while it writes.
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}
