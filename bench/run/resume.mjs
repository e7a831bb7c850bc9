// The time for resuming a long run in a new process, until the first request to the model. Another
// checkout resumes a run that it recorded itself: npm run bench -- run resume FOLDER.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figure, number } from '../figure.mjs'
import { median } from '../timing.mjs'

const ROUNDS = 5
const TURNS = 300
const here = fileURLToPath(new URL('../..', import.meta.url))
const program = fileURLToPath(new URL('resume-process.mjs', import.meta.url))

/**
 * A run that was resumed before was never slow with small results: the remaining time is mostly the
 * start of a process.
 *
 * @type {Record<string, { size: number, killed?: boolean, readOnly?: boolean, contextTokens?:
 * number, goal?: false }>}
 */
const cases = {
  'killed, results of 2 KB': { killed: true, size: 2000 },
  'killed, results of 2 KB, a limited context': {
    killed: true,
    size: 2000,
    contextTokens: 1_000_000,
  },
  'answered and asked again, results of 2 KB': { size: 2000, goal: false },
  'answered and asked again, results of 50 KB': { size: 50_000, readOnly: true },
}

/** @param {string} [other] */
export async function measure(other) {
  const figures = []
  for (const [name, { goal = true, ...settings }] of Object.entries(cases)) {
    const ours = await recorded(here, settings)
    const theirs = other === undefined ? undefined : await recorded(resolve(other), settings)
    for (let round = 0; round < ROUNDS; round++) {
      await ours.sample()
      await theirs?.sample()
    }
    ours.remove()
    theirs?.remove()
    const ms = median(ours.times)
    const shared = { group: `resuming ${TURNS} turns`, name }
    const rounds = `medians of ${ROUNDS} processes, until the model is asked`
    if (!theirs) {
      figures.push(figure({ ...shared, value: ms, unit: 'ms', detail: rounds }))
      continue
    }
    const before = median(theirs.times)
    figures.push(
      figure({
        ...shared,
        value: ms / before,
        unit: 'x',
        ...(goal && { goal: { most: 0.143 } }),
        detail: `${number(ms)} ms to ${number(before)} ms of ${other}, ${rounds}`,
      }),
    )
  }
  return figures
}

/**
 * A run recorded by a checkout.
 *
 * @param {string} root
 * @param {object} settings
 */
async function recorded(root, settings) {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
  const start = async (/** @type {string} */ action, /** @type {string} */ within) => {
    const words = [program, root, action, join(within, 'journal.sqlite')]
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...words,
      JSON.stringify({ turns: TURNS, ...settings }),
    ])
    return Number(stdout)
  }
  await start('record', folder)
  /** @type {number[]} */
  const times = []
  return {
    times,
    async sample() {
      const copy = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
      cpSync(folder, copy, { recursive: true })
      times.push(await start('resume', copy))
      rmSync(copy, { recursive: true })
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
