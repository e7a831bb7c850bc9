// npm run test:oracle -- [--seed 1] [--judged N] [--executed N] [--each N] [--minutes N] [--workers 2] [--state FILE] [--only SOURCE:NUMBER] [--without PATTERN]
import { parseArgs } from 'node:util'
import { whyNot } from './box.mjs'
import { goals } from './goals.mjs'
import { missingPackages } from './packages.mjs'
import { BUILT, readState, runOracle, writeState } from './oracle.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    judged: { type: 'string', default: '200000' },
    executed: { type: 'string', default: '50000' },
    each: { type: 'string', default: '50' },
    minutes: { type: 'string', default: 'Infinity' },
    workers: { type: 'string', default: '2' },
    state: { type: 'string' },
    only: { type: 'string' },
    without: { type: 'string' },
  },
})
const missing = whyNot()
if (missing) {
  console.log(`The oracle is skipped: ${missing}.`)
  process.exit(0)
}
const packages = missingPackages()
if (packages.length > 0)
  console.log(`Skipped programs of Debian packages that are not installed: ${packages.join(' ')}.`)
const state = readState(values.state, Number(values.seed))
const goal = await goals({
  dist: BUILT,
  state,
  judged: Number(values.judged),
  executed: Number(values.executed),
  each: Number(values.each),
})
const [source, number] = values.only?.split(':') ?? []
const single = [{ source, count: 1, from: Number(number) }]
const started = Date.now()
const before = { judged: state.judged, executed: state.executed.size }
let isStopped = false
let saved = started
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopped = true))

await runOracle({
  state,
  without: values.without,
  workers: values.only ? 1 : Number(values.workers),
  nextJob() {
    if (values.only) return single.pop()
    if (isStopped || Date.now() - started > Number(values.minutes) * 60_000) return undefined
    return goal.nextJob()
  },
  onAnswer(answer) {
    const { findings } = answer
    goal.finished(answer)
    for (const each of findings) {
      const from = each.program ? `${each.kind}/${each.program}` : each.kind
      console.log(
        `${from}:${each.number} ${JSON.stringify(each.text)}\n    ${each.found.join('; ')}`,
      )
    }
    if (values.state && Date.now() - saved > 10_000) {
      writeState(values.state, state)
      saved = Date.now()
    }
  },
})
if (values.state) writeState(values.state, state)
const seconds = (Date.now() - started) / 1000
const rate = (count) => (count / seconds).toFixed(1)
const missed = goal.missed()
console.log(
  `Seed ${state.seed}: ${state.judged} texts judged (${rate(state.judged - before.judged)}/s), ${state.executed.size} allowed ones run (${rate(state.executed.size - before.executed)}/s), ${state.findings.length} did something that no rule covers; ${Math.round(seconds)} s.`,
)
console.log(
  `${goal.count - missed.length} of ${goal.count} programs were run at least ${values.each} times.`,
)
if (goal.onlyExact().length > 0) console.log(`By exact rules only: ${goal.onlyExact().join(' ')}.`)
for (const { name, runs, why } of missed)
  console.log(`    ${name}: ${runs}${why ? ` (${why})` : ''}`)
process.exitCode = state.findings.length > 0 ? 1 : 0
