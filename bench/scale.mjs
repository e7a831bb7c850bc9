// npm run bench -- scale: the cost of runs on each journal, with several workers, and with many
// runs in the tables. Writes bench/results/scale.json. Alternatives are measured alternately, so
// that the load of the machine is the same. A word after `scale` selects a part.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { install, root } from '../scripts/ready.mjs'
import { number, shown } from './figure.mjs'
import { describeMachine } from './machine.mjs'

/** @typedef {import('./figure.mjs').Figure & { load?: string }} Figure */

const parts = ['journals', 'workers', 'tables']
const named = parts.filter((part) => process.argv.includes(part))
install(`${root}/tests/postgres`)
const { startPostgres } = await import('../tests/postgres/start-postgres.mjs')
const machine = describeMachine()
// Commits wait for the disk, as in SQLite.
const postgres = await startPostgres({ isDurable: true })
/** @type {Figure[]} */
const figures = []
try {
  for (const part of named.length > 0 ? named : parts) {
    /** @type {{ measure: (url: string) => AsyncIterable<Figure> }} */
    const { measure } = await import(`./scale/${part}.mjs`)
    for await (const figure of measure(postgres.url)) {
      const load = number(loadavg()[0] ?? 0)
      figures.push({ ...figure, load })
      const { value, goal } = shown(figure)
      const cells = [`${figure.group}: ${figure.name}`, value, goal, figure.detail, `load ${load}`]
      console.log(`${figure.verdict.padEnd(6)} ${cells.filter((cell) => cell !== '').join('  ')}`)
    }
  }
} finally {
  await postgres.remove()
}

if (named.length === 0)
  writeFileSync(
    new URL('results/scale.json', import.meta.url),
    `${JSON.stringify({ machine, figures }, null, 2)}\n`,
  )
if (figures.some(({ verdict }) => verdict === 'MISSED')) process.exitCode = 1
