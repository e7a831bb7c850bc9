import { collect, run, tool } from '@toolglot/agent'
import { aiSdkModel } from '@toolglot/agent/models'
import { memoryJournal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { scriptedLanguageModel } from './run/scripted-language-model.mjs'
const T = 1000
async function one(how, journal) {
  const language = scriptedLanguageModel(T, how)
  const weather = tool({ name: 'weather', description: 'Tells the weather', parameters: { type: 'object', properties: { city: { type: 'string' }, day: { type: 'integer' } }, required: ['city', 'day'] }, readOnly: true, execute: ({ city }) => `It is 3 degrees in ${city}.` })
  const t = performance.now()
  const r = await collect(run({ model: aiSdkModel(language, { native: how === 'native' }), tools: [weather], prompt: 'x', journal, limits: { maxIterations: T + 1, maxToolCalls: T + 1 } }))
  return performance.now() - t
}
const how = process.argv[2] ?? 'native'
const times = []
for (let i = 0; i < 6; i++) {
  const journal = process.argv[3] === 'sqlite' ? sqliteJournal({ file: `/tmp/prof/j-${process.pid}-${i}.db` }) : memoryJournal()
  times.push(Math.round(await one(how, journal)))
  await journal.close()
}
console.log(times.join(' '))
