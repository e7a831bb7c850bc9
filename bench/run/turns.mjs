// 1,000 turns with one tool each: a run, and the AI SDK's own streaming loop, with the same
// scripted model.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect, run, tool } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { aiSdkModel } from '@toolglot/agent/models'
import { sqliteJournal } from '@toolglot/agent/node'
import { jsonSchema, stepCountIs, streamText, tool as sdkTool } from 'ai'
import { figure, number } from '../figure.mjs'
import { scriptedLanguageModel } from './scripted-language-model.mjs'
import { lane, measureLanes } from './lanes.mjs'

const TURNS = 1000
const ROUNDS = 5
const prompt = 'What is the weather, everywhere?'
const description = 'Get the weather'
const parameters = {
  type: /** @type {const} */ ('object'),
  properties: {
    city: { type: /** @type {const} */ ('string') },
    day: { type: /** @type {const} */ ('integer') },
  },
  required: ['city', 'day'],
  additionalProperties: false,
}

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
  const journal = sqliteJournal({ file: join(folder, 'journal.sqlite') })
  try {
    const lanes = {
      theirs: lane(() => theirs()),
      ours: lane(() => ours('native', memoryJournal())),
      text: lane(() => ours('text', memoryJournal())),
      sqlite: lane(() => ours('native', journal)),
    }
    await measureLanes(Object.values(lanes), ROUNDS)
    const base = lanes.theirs
    const of = (/** @type {ReturnType<typeof lane>} */ each) =>
      `${number(each.median('ms'))} ms to ${number(base.median('ms'))} ms, medians of ${ROUNDS} rounds; processor time ${number(each.median('cpu') / base.median('cpu'))} x`
    const row = (/** @type {string} */ name, /** @type {ReturnType<typeof lane>} */ each) => ({
      group: `${TURNS} turns`,
      name,
      value: each.median('ms') / base.median('ms'),
      unit: /** @type {const} */ ('x'),
      detail: of(each),
    })
    return [
      figure({ ...row('function calling, memory', lanes.ours), goal: { most: 0.5 } }),
      figure({ ...row('text protocol, memory', lanes.text), goal: { most: 0.5 } }),
      figure({ ...row('function calling, SQLite', lanes.sqlite), goal: { most: 1.7 } }),
    ]
  } finally {
    await journal.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {'native' | 'text'} how
 * @param {import('@toolglot/agent/journal').Journal} journal
 */
async function ours(how, journal) {
  const language = scriptedLanguageModel(TURNS, how)
  const made = calls()
  const weather = tool({
    name: 'weather',
    description,
    parameters,
    readOnly: true,
    execute: made.execute,
  })
  const result = await collect(
    run({
      model: aiSdkModel(language, { native: how === 'native' }),
      tools: [weather],
      prompt,
      journal,
      limits: { maxIterations: TURNS + 1, maxToolCalls: TURNS + 1 },
    }),
  )
  made.check(result.text, language.asked, JSON.stringify(language.last))
}

async function theirs() {
  const language = scriptedLanguageModel(TURNS, 'native')
  const made = calls()
  const result = streamText({
    model: language,
    prompt,
    tools: {
      weather: sdkTool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: made.execute,
      }),
    },
    stopWhen: stepCountIs(TURNS + 1),
  })
  let text = ''
  for await (const part of result.fullStream) if (part.type === 'text-delta') text += part.text
  made.check(text, language.asked, JSON.stringify(language.last))
}

/**
 * A tool, and a check that it was called as expected, that every result was sent, and that there is
 * an answer.
 */
function calls() {
  let count = 0
  return {
    /** @type {(args: Record<string, unknown>) => string} */
    execute: ({ city, day }) => {
      if (city !== `Place number ${count}` || day !== count)
        throw new Error(`Call ${count} was made with ${JSON.stringify({ city, day })}`)
      count++
      return `It is ${count} degrees in ${String(city)}.`
    },
    /**
     * @param {string} text
     * @param {number} asked
     * @param {string} told
     */
    check(text, asked, told) {
      const results = told.split(/It is \d+ degrees in Place number/).length - 1
      if (count !== TURNS || results !== TURNS || asked !== TURNS + 1 || text !== 'That was all.')
        throw new Error(`${count} calls, ${results} results, ${asked} turns, and then: ${text}`)
    },
  }
}
