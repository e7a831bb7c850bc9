// npm run bench -- run: the cost of a run without its model and tools. Writes
// bench/results/run.json. Every file in bench/run that exports `measure()` returns figures; a word
// after `run` selects one. The last word may be the folder of another built checkout for
// comparison, where supported.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { number, shown } from './figure.mjs'
import { describeMachine } from './machine.mjs'

/** @typedef {import('./figure.mjs').Figure & { load?: string }} Figure */

const parts = ['turn', 'turns', 'crowd', 'memory', 'many', 'resume']
const words = process.argv.slice(3)
const named = parts.filter((part) => words.includes(part))
const other = words.find((word) => !parts.includes(word))
const machine = describeMachine()
/** @type {Figure[]} */
const figures = []

for (const part of named.length > 0 ? named : parts) {
  /** @type {{ measure: (other: string | undefined) => Promise<Figure[]> }} */
  const { measure } = await import(`./run/${part}.mjs`)
  const measured = await measure(other)
  const load = number(loadavg()[0] ?? 0)
  for (const figure of measured) {
    figures.push({ ...figure, load })
    const { value, goal } = shown(figure)
    const cells = [`${figure.group}: ${figure.name}`, value, goal, figure.detail, `load ${load}`]
    console.log(`${figure.verdict.padEnd(6)} ${cells.filter((cell) => cell !== '').join('  ')}`)
  }
}

if (named.length === 0)
  writeFileSync(
    new URL('results/run.json', import.meta.url),
    `${JSON.stringify({ machine, figures }, null, 2)}\n`,
  )
if (figures.some(({ verdict }) => verdict === 'MISSED')) process.exitCode = 1
