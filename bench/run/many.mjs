// The peak memory of many concurrent runs in a separate process, each with its own list of tools.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figure } from '../figure.mjs'

const TURNS = 10
const program = fileURLToPath(new URL('many-process.mjs', import.meta.url))

export async function measure() {
  return [
    await used(1000, 'memory', 'same', { most: 400 }),
    await used(1000, 'SQLite', 'same', { most: 400 }),
    await used(100, 'memory', 'own'),
  ]
}

/**
 * @param {number} runs
 * @param {'memory' | 'SQLite'} journal
 * @param {'same' | 'own'} names
 * @param {{ most: number }} [goal]
 */
async function used(runs, journal, names, goal) {
  const words = [program, journal, names, String(runs), String(TURNS)]
  const began = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  return figure({
    group: `${runs} runs with tools: [...]`,
    name: `${names === 'own' ? 'names of their own' : 'the same names'}, ${journal}`,
    value: Number(stdout) / 2 ** 20,
    unit: 'MB',
    ...(goal && { goal }),
    detail: `maximum RSS of the process; ${TURNS} turns each, ${seconds} s`,
  })
}
