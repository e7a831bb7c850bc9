// npm run bench -- arguments: how many broken arguments are read as they were meant, compared with other libraries.
//
// The cases are not part of the project: without ../shared/vectors there is nothing to measure.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parseArguments } from '@toolglot/core'
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'
import { describeMachine } from './machine.mjs'

/** @typedef {{ text: string, schema: Record<string, unknown>, expected: unknown, isPart?: boolean }} Case */
/** @typedef {(text: string, schema: Record<string, unknown>) => unknown} Reader */

const vectors = new URL('../../shared/vectors/', import.meta.url)
if (!existsSync(vectors)) {
  console.log('../shared/vectors is missing: nothing to measure')
  process.exit()
}

/** @type {Record<string, Case[]>} */
const groups = {
  coercion: linesOf('coercion').map(({ schema, raw, expected, expected_text: number }) => ({
    text: JSON.stringify({ value: raw }),
    schema: { type: 'object', properties: { value: schema }, $defs: schema?.$defs },
    expected: { value: number === undefined ? expected : Number(number) },
  })),
  // Of the object in the fence, what counts is the member that holds the arguments.
  'fenced calls': linesOf('weak')
    .filter(({ text, expected }) => expected.calls.length === 1 && text.startsWith('```json\n{'))
    .map(({ text, tools, expected: { calls } }) => {
      const [{ name, arguments: args }] = calls
      const { parameters } = tools.find((/** @type {any} */ tool) => tool.name === name)
      const keys = ['arguments', 'args', 'parameters', 'tool_input', 'action_input']
      const properties = Object.fromEntries(keys.map((key) => [key, parameters]))
      return { text, schema: { type: 'object', properties }, expected: args, isPart: true }
    }),
}

/** @type {Record<string, Reader>} */
const readers = {
  'JSON.parse': (text) => JSON.parse(text),
  toolglot: (text, schema) => parseArguments(text, schema)?.args,
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
  'partial-json': (text) => parsePartial(text),
}

const rows = Object.entries(groups).map(([group, cases]) => {
  const right = Object.entries(readers).map(([name, read]) => {
    const count = cases.filter(({ text, schema, expected, isPart }) => {
      try {
        const found = read(text, schema)
        return isPart ? contains(found, expected) : isDeepStrictEqual(found, expected)
      } catch {
        // It refuses the text.
        return false
      }
    }).length
    return /** @type {const} */ ([name, count])
  })
  console.log(
    group,
    `(${cases.length}):`,
    right.map(([name, count]) => `${name} ${count}`).join(', '),
  )
  return { group, cases: cases.length, right: Object.fromEntries(right) }
})
const { date, node, load } = describeMachine()
const results = new URL('results/arguments.json', import.meta.url)
writeFileSync(results, `${JSON.stringify({ date, node, load, rows }, null, 2)}\n`)

/**
 * @param {unknown} value
 * @param {unknown} part
 * @returns {boolean}
 */
function contains(value, part) {
  if (isDeepStrictEqual(value, part)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => contains(inner, part))
}

/**
 * @param {string} name
 * @returns {any[]}
 */
function linesOf(name) {
  const text = readFileSync(new URL(`${name}.jsonl`, vectors), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
