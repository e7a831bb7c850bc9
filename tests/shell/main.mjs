// npm run test:shell -- [--texts 1000000] [--seed 1] [--from 0] [--seconds N] [--workers 2] [--match TEXT] [--without PATTERN] [--dist FOLDER]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { whyNot } from './box.mjs'
import { BUILT, runOracle } from './oracle.mjs'

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    seconds: { type: 'string', default: 'Infinity' },
    workers: { type: 'string', default: '2' },
    match: { type: 'string' },
    without: { type: 'string' },
    dist: { type: 'string', default: BUILT },
  },
})
const missing = whyNot()
if (missing) {
  console.log(`The shell oracle is skipped: ${missing}.`)
  process.exit(0)
}
const started = Date.now()
const elapsed = () => (Date.now() - started) / 1000
let isStopped = false
let shown = started
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopped = true))

const total = await runOracle({
  seed: Number(values.seed),
  texts: Number(values.texts),
  from: Number(values.from),
  workers: Number(values.workers),
  dist: resolve(values.dist),
  match: values.match,
  without: values.without,
  shrinks: 20,
  isStopped: () => isStopped || elapsed() > Number(values.seconds),
  onAnswer(sum, { found }) {
    for (const each of found) show(each)
    if (Date.now() - shown < 10_000) return
    shown = Date.now()
    console.log(counts(sum))
  },
})
console.log(counts(total))
for (const [name, count] of Object.entries(total.bySet)) console.log(`    ${name}: ${count} run`)
process.exitCode = total.found.length > 0 ? 1 : 0

function show({ number, text, smallest, rules, locale, runs, words, judged, why }) {
  console.log(`--from ${number} --texts 1 (${rules}, ${locale}): ${why}`)
  console.log(`    text:     ${JSON.stringify(text)}`)
  if (smallest !== undefined) console.log(`    smallest: ${JSON.stringify(smallest)}`)
  if (runs !== undefined) console.log(`    runs:     ${JSON.stringify(runs)}`)
  if (words !== undefined) console.log(`    bash ran: ${JSON.stringify(words)}`)
  console.log(`    judged:   ${JSON.stringify(judged)}`)
}

function counts({ judged, allowed, executed, found }) {
  const rate = (count) => Math.round(count / elapsed())
  return `Seed ${values.seed}: ${judged} texts judged (${rate(judged)}/s), ${allowed} allowed, ${executed} run (${rate(executed)}/s), ${found.length} differences; ${Math.round(elapsed())} s.`
}
