// npm run bench -- ai-sdk: the time for streaming a call with 64 KB of arguments through the
// middleware, compared with
// @ai-sdk-tool/parser and with the model alone. Writes bench/results/ai-sdk.json.
import { writeFileSync } from 'node:fs'
import { hermesToolMiddleware } from '@ai-sdk-tool/parser'
import { toolglot } from '@toolglot/ai-sdk'
import { wrapLanguageModel } from 'ai'
import { cut } from './chunks.mjs'
import { describeMachine } from './machine.mjs'
import { argumentHeavy, tools } from './texts.mjs'
import { median, timed } from './timing.mjs'

const ROUNDS = 5
const CHARACTERS = 64 << 10
const CHUNK = 4
const GOAL = 50

/**
 * @typedef {import('./run/scripted-language-model.mjs').LanguageModel} LanguageModel
 * @typedef {import('./run/scripted-language-model.mjs').Part} Part
 */

const { reply, args } = argumentHeavy(CHARACTERS)
const chunks = cut(reply, CHUNK)
/** @type {LanguageModel} */
const model = {
  specificationVersion: 'v3',
  provider: 'bench',
  modelId: 'hermes',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
  doStream: async () => ({ stream: ReadableStream.from(parts()) }),
}
/** @type {import('ai').LanguageModelMiddleware} */
const ours = toolglot({ protocol: 'hermes' })
/** @type {import('ai').LanguageModelMiddleware} */
const streaming = toolglot({ protocol: 'hermes', streamArguments: true })
/** @type {Record<string, LanguageModel>} */
const models = {
  'the bare model': model,
  toolglot: wrapLanguageModel({ model, middleware: ours }),
  'toolglot, streaming arguments': wrapLanguageModel({ model, middleware: streaming }),
  '@ai-sdk-tool/parser': wrapLanguageModel({ model, middleware: hermesToolMiddleware }),
}

/** @type {Record<string, number[]>} */
const times = Object.fromEntries(Object.keys(models).map((name) => [name, []]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, each] of Object.entries(models)) {
    const time = await timed(() => read(each, name))
    // The first round is a warm-up.
    if (round > 0) times[name]?.push(time)
  }
}
const milliseconds = Object.fromEntries(
  Object.entries(times).map(([name, all]) => [name, Number(median(all).toPrecision(3))]),
)
const ratio = median(times['@ai-sdk-tool/parser'] ?? []) / median(times['toolglot'] ?? [])
const results = {
  machine: describeMachine(),
  rounds: ROUNDS,
  characters: CHARACTERS,
  chunk: CHUNK,
  milliseconds,
  ratio: Number(ratio.toPrecision(3)),
  goal: GOAL,
}
console.log(results)
writeFileSync(
  new URL('results/ai-sdk.json', import.meta.url),
  `${JSON.stringify(results, null, 2)}\n`,
)

/**
 * Reads a whole stream, and checks its call.
 *
 * @param {LanguageModel} each
 * @param {string} name
 */
async function read(each, name) {
  const { stream } = await each.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Write the file.' }] }],
    tools: tools.map((tool) => ({
      type: 'function',
      name: tool.name,
      inputSchema: tool.parameters,
    })),
  })
  /** @type {string[]} */
  const inputs = []
  for await (const part of stream) if (part.type === 'tool-call') inputs.push(part.input)
  const expected = each === model ? [] : [JSON.stringify(args)]
  const found = inputs.map((input) => JSON.stringify(JSON.parse(input)))
  if (String(found) !== String(expected)) throw new Error(`${name} found another call`)
}

/** @returns {Generator<Part>} */
function* parts() {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '1' }
  for (const delta of chunks) yield { type: 'text-delta', id: '1', delta }
  yield { type: 'text-end', id: '1' }
  yield {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
  }
}
