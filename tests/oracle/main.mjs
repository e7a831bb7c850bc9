// npm run test:oracle -- [--seed 1] [--grammar N] [--options N] [--here N] [--workers 2] [--state FILE] [--only KIND:NUMBER]
import { parseArgs } from 'node:util'
import { whyNot } from './box.mjs'
import { KINDS, readState, runOracle, writeState } from './oracle.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    grammar: { type: 'string', default: '20000' },
    options: { type: 'string', default: '20000' },
    here: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '2' },
    state: { type: 'string' },
    only: { type: 'string' },
  },
})
const missing = whyNot()
if (missing) {
  console.log(`The oracle is skipped: ${missing}.`)
  process.exit(0)
}
const seed = Number(values.seed)
const before = values.state ? readState(values.state, seed) : readState('', seed)
const [kind, number] = values.only?.split(':') ?? []
const ranges = kind
  ? { [kind]: [Number(number), Number(number) + 1] }
  : Object.fromEntries(
      KINDS.map((each) => [each, [before.next[each] ?? 0, Number(values[each])]]).filter(
        ([, [from, to]]) => from < to,
      ),
    )
const next = { ...before.next }
const started = Date.now()
let [findings, judged] = [before.findings, before.judged]
const byProgram = { ...before.byProgram }
const { executed } = await runOracle({
  seed,
  ranges,
  workers: Number(values.workers),
  executed: new Set(before.executed),
  byProgram: before.byProgram,
  onAnswer(answer, { executed: all }) {
    judged += answer.judged
    findings = [...findings, ...answer.findings]
    for (const [name, count] of Object.entries(answer.byProgram))
      byProgram[name] = (byProgram[name] ?? 0) + count
    next[answer.kind] = Math.max(next[answer.kind] ?? 0, answer.to)
    for (const { text, found, kind: of, number: at } of answer.findings)
      console.log(`${of}:${at} ${JSON.stringify(text)}\n    ${found.join('; ')}`)
    if (values.state)
      writeState(values.state, { seed, next, judged, executed: [...all], byProgram, findings })
  },
})
const counts = Object.entries(byProgram).sort(([, one], [, other]) => one - other)
console.log(
  `Seed ${seed}: ${judged} texts judged, ${executed.size} allowed ones run, ${findings.length} did something that no rule covers; ${Math.round((Date.now() - started) / 1000)} s.`,
)
if (counts.length > 0)
  console.log(`Runs by program: ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}.`)
process.exitCode = findings.length > 0 ? 1 : 0
