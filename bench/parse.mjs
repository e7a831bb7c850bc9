// npm run bench: the speed of reading replies, compared with other libraries. Add -- --quick for a
// shorter run.
//
// A missed figure is not a failure, since machines are noisy; wrong arguments are.
import { measureEvery } from './every.mjs'
import { measureGoals } from './goals.mjs'
import { measureGrowth } from './growth.mjs'
import { describeMachine } from './machine.mjs'
import { figurePrinter, paint, printTable } from './report.mjs'
import { writeResults } from './results.mjs'
import { measureSpeed } from './speed.mjs'
import { measureText } from './text.mjs'
import { measureVolume } from './volume.mjs'

const quick = process.argv.includes('--quick')
const effort = quick ? { rounds: 3, slice: 8 } : { rounds: 11, slice: 20 }
const onFigure = figurePrinter()
const machine = describeMachine()

console.log(`${machine.cpu}, Node ${machine.node}, load ${machine.load}`)
const { tables, failures, notes } = await measureSpeed({
  sizes: quick ? [64, 1024] : [4, 16, 64, 256, 1024],
  chunks: quick ? [4, Infinity] : [4, 16, Infinity],
  budget: quick ? 500 : 6000,
  effort,
  onTable: printTable,
})
const figures = await measureGoals(tables, { effort, onFigure })
figures.push(...(await measureEvery({ effort, size: quick ? 1 << 18 : 1 << 20, onFigure })))
figures.push(...(await measureText({ effort, size: quick ? 1 << 17 : 1 << 19, onFigure })))
if (!quick) {
  figures.push(...(await measureGrowth({ onFigure })))
  const volume = await measureVolume({ onFigure })
  figures.push(...volume.figures)
  failures.push(...volume.failures)
}

const missed = figures.filter(({ verdict }) => verdict === 'MISSED')
console.log(`\n${figures.length} figures, ${missed.length} missed`)
for (const note of notes) console.log(paint('dim', `note: ${note}`))
for (const failure of failures) console.log(paint('red', `WRONG: ${failure}`))
if (failures.length > 0) process.exitCode = 1

if (!quick) {
  writeResults({ machine, tables, figures, notes, failures })
  console.log('\nWritten to bench/results/latest.json and latest.md')
}
