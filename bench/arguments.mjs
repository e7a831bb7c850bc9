// npm run bench -- arguments: how many broken arguments are read correctly, and how fast, compared
// with other libraries.
//
// The cases are not part of the project: each set is skipped if its file is not in
// ../shared/vectors. BAML's parser is installed the first time (59 MB from npm).
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { parseArguments } from '@toolglot/core'
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'
import { number } from './figure.mjs'
import { describeMachine } from './machine.mjs'
import { dictionaryOf } from './python-dictionary.mjs'
import { median } from './timing.mjs'

/**
 * `expected` undefined: reading the text would require a guess. `isPart`: the arguments are a part
 * of the object.
 *
 * @typedef {{ id: string, text: string, schema: Record<string, unknown>, expected: unknown,
 * isPart?: boolean }} Case
 */
/** @typedef {(text: string, schema: Record<string, unknown>) => unknown} Reader */
/** @typedef {'right' | 'wrong' | 'refused'} Verdict */

const ROUNDS = 9
const WARM_UP = 20
const baml = fileURLToPath(new URL('../tests/baml/', import.meta.url))

/** @type {Record<string, () => Case[]>} */
const sets = {
  coercion: () =>
    linesOf('coercion').map(({ id, schema, raw, expected, expected_text: written }) => ({
      id,
      text: JSON.stringify({ value: raw }),
      schema: { type: 'object', properties: { value: schema } },
      expected: { value: written === undefined ? expected : Number(written) },
    })),
  repair_python: () =>
    linesOf('repair_python').flatMap((line) => {
      const made = dictionaryOf(line)
      return made ? [{ id: line.id, schema: { type: 'object' }, ...made }] : []
    }),
  // Only the member with the arguments counts, not the whole object in the fence.
  weak: () =>
    linesOf('weak')
      .filter(({ text, expected }) => expected.calls.length === 1 && text.startsWith('```json\n{'))
      .map(({ id, text, tools, expected: { calls } }) => {
        const [{ name, arguments: args }] = calls
        const { parameters } = tools.find((/** @type {any} */ tool) => tool.name === name)
        const keys = ['arguments', 'args', 'parameters', 'tool_input', 'action_input']
        const properties = Object.fromEntries(keys.map((key) => [key, parameters]))
        return { id, text, schema: { type: 'object', properties }, expected: args, isPart: true }
      }),
}

/** @type {{ set: string, cases: Case[] }[]} */
const present = []
for (const [set, read] of Object.entries(sets)) {
  if (existsSync(fileOf(set))) present.push({ set, cases: read() })
  else console.log(`${set}: skipped, because ../shared/vectors/${set}.jsonl is missing`)
}

/** @type {Record<string, Reader>} */
const readers = {
  toolglot: (text, schema) => {
    const read = parseArguments(text, schema)
    return read?.complete ? read.args : undefined
  },
  'JSON.parse': (text) => JSON.parse(text),
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
  'partial-json': (text) => parsePartial(text),
}
const missing = await addBaml()
if (missing !== undefined) console.log(`BAML: left out, because ${missing}`)

const rows = present.map(({ set, cases }) => {
  const times = timesOf(cases)
  console.log(`${set} (${cases.length}):`)
  const figures = Object.entries(readers).map(([name, read]) => {
    const verdicts = cases.map((one) => verdictOf(one, read))
    const counts = { right: 0, wrong: 0, refused: 0 }
    for (const verdict of verdicts) counts[verdict]++
    const time = number((times[name] ?? NaN) / (times['toolglot'] ?? NaN))
    const shown = Object.entries(counts).map(([verdict, count]) => `${verdict} ${count}`)
    console.log(`  ${name.padEnd(12)} ${shown.join(', ')}; ${time} x toolglot's time`)
    if (process.argv.includes('--show')) show(cases, verdicts, read)
    return /** @type {const} */ ([name, { ...counts, time }])
  })
  return { set, cases: cases.length, readers: Object.fromEntries(figures) }
})
if (present.length === Object.keys(sets).length) {
  const { date, node, load } = describeMachine()
  const results = new URL('results/arguments.json', import.meta.url)
  writeFileSync(
    results,
    `${JSON.stringify({ date, node, load, ...(missing && { missing }), rows }, null, 2)}\n`,
  )
}

/**
 * Adds BAML's parser to the readers. Returns the problem if it cannot be used.
 *
 * @returns {Promise<string | undefined>}
 */
async function addBaml() {
  if (present.length === 0) return undefined
  if (!existsSync(`${baml}node_modules/@boundaryml/baml`)) {
    // Not npm ci, which would fail because the lock has no builds for other systems.
    const words = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    const { status } = spawnSync('npm', words, { cwd: baml, stdio: ['ignore', 2, 2] })
    if (status !== 0) return 'npm could not install it'
  }
  try {
    const { createReader } = await import('../tests/baml/read-arguments.mjs')
    const schemas = present.flatMap(({ cases }) => cases.map(({ schema }) => schema))
    readers['BAML'] = createReader(schemas)
  } catch (error) {
    // BAML has no build for this system, or does not compile one of the schemas.
    return String(error).split('\n')[0]
  }
  return undefined
}

/**
 * @param {Case} one
 * @param {Reader} read
 * @returns {Verdict}
 */
function verdictOf({ text, schema, expected, isPart }, read) {
  const found = resultOf(read, text, schema)
  if (found === undefined) return expected === undefined ? 'right' : 'refused'
  const right = isPart ? contains(found, expected) : isDeepStrictEqual(plain(found), expected)
  return right ? 'right' : 'wrong'
}

/**
 * @param {Reader} read
 * @param {string} text
 * @param {Record<string, unknown>} schema
 */
function resultOf(read, text, schema) {
  try {
    return read(text, schema)
  } catch {
    // The reader refuses the text.
    return undefined
  }
}

/**
 * Milliseconds for all cases, by reader. Readers alternate, so that a busy machine slows down all
 * of them.
 *
 * @param {Case[]} cases
 */
function timesOf(cases) {
  /** @type {Record<string, number[]>} */
  const all = {}
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, read] of Object.entries(readers)) {
      const began = performance.now()
      for (const { text, schema } of cases) resultOf(read, text, schema)
      if (round >= 0) (all[name] ??= []).push(performance.now() - began)
    }
  }
  return Object.fromEntries(Object.entries(all).map(([name, times]) => [name, median(times)]))
}

/**
 * @param {Case[]} cases
 * @param {Verdict[]} verdicts
 * @param {Reader} read
 */
function show(cases, verdicts, read) {
  for (const [i, { id, text, schema, expected }] of cases.entries()) {
    if (verdicts[i] === 'right') continue
    const found = JSON.stringify(resultOf(read, text, schema))
    console.log(
      `    ${id} ${verdicts[i]}: ${text}\n      ${JSON.stringify(expected)}, got ${found}`,
    )
  }
}

/**
 * A value as plain JSON, without custom prototypes.
 *
 * @param {unknown} value
 */
function plain(value) {
  return JSON.parse(JSON.stringify(value))
}

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

/** @param {string} set */
function fileOf(set) {
  return new URL(`../../shared/vectors/${set}.jsonl`, import.meta.url)
}

/**
 * @param {string} set
 * @returns {any[]}
 */
function linesOf(set) {
  return readFileSync(fileOf(set), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
