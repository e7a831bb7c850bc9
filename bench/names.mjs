// npm run bench -- names FOLDER: the cost of new tool names, as with every new client of a gateway:
// the first reply, the first result, and the memory retained for each list of names. Compared with
// another built checkout, if one is given. Writes bench/results/names.json.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figure, number, shown } from './figure.mjs'
import { describeMachine } from './machine.mjs'
import { median } from './timing.mjs'

const ROUNDS = 5
const here = fileURLToPath(new URL('..', import.meta.url))
const program = fileURLToPath(new URL('names-process.mjs', import.meta.url))
const other = process.argv[3]
const machine = describeMachine()

/** @type {Record<string, string>} */
const cases = {
  every: 'the first reply, every protocol at once',
  hermes: 'the first reply, one protocol (hermes)',
  'morph-xml': 'the first reply, one protocol that recognizes calls by name (morph-xml)',
  restore: 'the first restore',
  printResult: 'the first printResult, which neutralizes',
}

/** @type {import('./figure.mjs').Figure[]} */
const figures = []
for (const count of [24, 100]) {
  for (const [way, name] of Object.entries(cases)) {
    /** @type {{ ms: number, kept: number }[]} */
    const ours = []
    /** @type {{ ms: number, kept: number }[]} */
    const theirs = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(measured(here, way, count))
      if (other !== undefined) theirs.push(measured(resolve(other), way, count))
    }
    const group = `${count} new tool names`
    add({ group, name, unit: 'ms', goal: { most: 1 } }, ({ ms }) => ms)
    add({ group, name: `${name}, kept`, unit: 'KB', goal: { most: 50 } }, ({ kept }) => kept / 1024)

    /**
     * @param {Pick<import('./figure.mjs').Figure, 'group' | 'name' | 'unit' | 'goal'>} values
     * @param {(sample: { ms: number, kept: number }) => number} of
     */
    function add(values, of) {
      const value = Math.max(median(ours.map(of)), 0)
      const before = theirs.length > 0 ? `, ${number(median(theirs.map(of)))} in ${other}` : ''
      const detail = `medians of ${ROUNDS} processes${before}`
      const found = figure({ ...values, value, detail })
      figures.push(found)
      const line = shown(found)
      console.log(
        `${found.verdict.padEnd(6)} ${group}: ${found.name}  ${line.value}  ${line.goal}  ${detail}`,
      )
    }
  }
}
writeFileSync(
  new URL('results/names.json', import.meta.url),
  `${JSON.stringify({ machine, figures }, null, 2)}\n`,
)
if (figures.some(({ verdict }) => verdict === 'MISSED')) process.exitCode = 1

/**
 * @param {string} root
 * @param {string} way
 * @param {number} count
 * @returns {{ ms: number, kept: number }}
 */
function measured(root, way, count) {
  const words = ['--expose-gc', program, root, way, String(count)]
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
}
