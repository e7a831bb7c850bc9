// node resume-process.mjs CHECKOUT record|resume JOURNAL SETTINGS: records a long run with the
// build in a checkout, or resumes it and prints the milliseconds until the first request to the
// model.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [root = '', action = '', file = '', settings = '{}'] = process.argv.slice(2)

/** @type {{ turns: number, size: number, readOnly?: boolean, killed?: boolean, contextTokens?: number }} */
const { turns, size, readOnly = false, killed = false, contextTokens } = JSON.parse(settings)

/** @type {typeof import('@toolglot/agent')} */
const { collect, run, tool } = await load('index.js')
/** @type {typeof import('@toolglot/agent/node')} */
const { sqliteJournal } = await load('node/index.js')

let turn = 0
let asked = NaN
const journal = sqliteJournal({ file })
const note = tool({
  name: 'note',
  description: 'Notes a number',
  parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  readOnly,
  execute: ({ number }) => `I noted ${String(number)} on a page. `.repeat(size / 20).slice(0, size),
})
/** @type {Partial<import('@toolglot/agent').RunOptions>} */
const how =
  action === 'resume' && !killed
    ? { resume: true, prompt: 'And now?' }
    : { prompt: 'Note some numbers.' }
const began = performance.now()
const result = await collect(
  run({
    ...how,
    id: 'long',
    model: {
      name: 'script hermes',
      ...(contextTokens !== undefined && { contextTokens }),
      async *reply({ messages }) {
        asked = performance.now()
        const isSummary = messages.length === 1
        const isLast = action === 'resume' || turn === turns
        if (killed && action === 'record' && isLast) process.exit()
        const call = `<tool_call>\n{"name": "note", "arguments": {"number": ${turn}}}\n</tool_call>`
        yield { type: 'text', delta: isSummary ? 'Much was noted.' : isLast ? 'Done.' : call }
        if (!isSummary) turn++
        yield { type: 'finish', finish: 'stop' }
      },
    },
    tools: [note],
    permissions: { allow: ['note'] },
    journal,
    limits: { maxIterations: turns + 1, maxToolCalls: turns + 1, maxResult: size },
  }),
)
await journal.close()
if (result.reason !== 'answer' || result.text !== 'Done.' || (action === 'resume' && turn !== 1))
  throw new Error(
    `It ended as ${result.reason} after ${turn} turns: ${result.error ?? result.text}`,
  )
console.log(asked - began)

/** @param {string} path */
function load(path) {
  return import(pathToFileURL(join(root, 'packages/agent/dist', path)).href)
}
