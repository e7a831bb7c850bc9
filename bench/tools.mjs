// Every file in bench/tools measures some of the tools: it exports `measure()`, which returns
// figures.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { number, shown } from './figure.mjs'
import { describeMachine } from './machine.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */

const folder = new URL('tools/', import.meta.url)
const results = new URL('results/', import.meta.url)
const machine = describeMachine()
/** @type {Figure[]} */
const figures = []

for (const file of readdirSync(folder).sort()) {
  /** @type {{ measure: () => Promise<Figure[]> }} */
  const { measure } = await import(new URL(file, folder).href)
  for (const figure of await measure()) {
    figures.push(figure)
    console.log(`${figure.verdict.padEnd(6)} ${line(figure).join('  ')}`)
  }
}

mkdirSync(results, { recursive: true })
writeFileSync(new URL('tools.json', results), `${JSON.stringify({ machine, figures }, null, 2)}\n`)
writeFileSync(new URL('tools.md', results), markdown())
if (figures.some(({ verdict }) => verdict === 'MISSED')) process.exitCode = 1

/** @param {Figure} figure */
function line(figure) {
  const { value, goal } = shown(figure)
  return [`${figure.group}: ${figure.name}`, value, goal, figure.detail]
}

function markdown() {
  const { date, node, cpu, load } = machine
  const rows = figures.map((figure) => [...line(figure), figure.verdict])
  return [
    '# Tool speed',
    '',
    'Written by `npm run bench -- tools`: medians of our tools and of the programs they are built on, alternating, warm, with equal results.',
    '',
    `${date}, Node ${node}, ${cpu}, load ${number(Number(load))}`,
    '',
    '|  | figure | goal | from |  |',
    '| --- | --: | --: | --- | --- |',
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
    '',
  ].join('\n')
}
