// node many-process.mjs memory|SQLite own|same RUNS TURNS: many concurrent runs, each with a
// separate list of tools, whose names are the same in every run or unique to it. Prints the peak
// memory of the process, in bytes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect, run } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { callWeather, weather } from './weather.mjs'

const [where, names, ...numbers] = process.argv.slice(2)
const [runs = 0, turns = 0] = numbers.map(Number)
const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
const journal =
  where === 'SQLite' ? sqliteJournal({ file: join(folder, 'journal.sqlite') }) : memoryJournal()
try {
  const ended = await Promise.all(Array.from({ length: runs }, (_, number) => one(number)))
  const wrong = ended.filter(
    ({ reason, calls, text }) => reason !== 'answer' || calls !== turns || text !== 'Done.',
  )
  if (wrong.length > 0)
    throw new Error(`${wrong.length} runs did not end as expected: ${wrong[0]?.error}`)
} finally {
  await journal.close()
  rmSync(folder, { recursive: true })
}
console.log(process.resourceUsage().maxRSS * 1024)

/** @param {number} number */
function one(number) {
  const name = names === 'own' ? `weather${number}` : 'weather'
  let turn = 0
  return collect(
    run({
      journal,
      prompt: 'What is the weather?',
      tools: [weather(name)],
      model: {
        name: 'script hermes',
        async *reply() {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000))
          const call = callWeather(turn, name)
          yield { type: 'text', delta: turn++ === turns ? 'Done.' : call }
          yield { type: 'finish', finish: 'stop' }
        },
      },
    }),
  ).then(({ reason, text, error, calls }) => ({ reason, text, error, calls: calls.length }))
}
