// node --expose-gc names-process.mjs CHECKOUT WAY COUNT: uses the build in a checkout to read or
// print something for lists of COUNT tools with new names. Prints the milliseconds per list, and
// the bytes retained for it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median } from './timing.mjs'

/** Few enough that no list is evicted from a cache. */
const LISTS = 40
const WARM = 20

const [root = '', way = '', count = ''] = process.argv.slice(2)
/** @type {typeof import('@toolglot/core')} */
const { parse, printResult, protocols, restore } = await import(
  pathToFileURL(join(root, 'packages/core/dist/index.js')).href
)

/** @typedef {{ name: string }[]} Tools */

/** @type {Record<string, (tools: Tools) => unknown>} */
const ways = {
  every: (tools) => called(parse(reply(tools), { tools })),
  hermes: (tools) => called(parse(reply(tools), { tools, protocols: protocols.hermes })),
  'morph-xml': (tools) =>
    called(parse(element(tools), { tools, protocols: protocols['morph-xml'] })),
  restore: (tools) => restore('<\u2060tool_call> is a mark', { tools }),
  printResult: (tools) =>
    printResult(
      protocols.hermes,
      { call: { name: first(tools) }, output: element(tools) },
      { tools },
    ),
}
const run = ways[way]
if (!run) throw new Error(`There is no way "${way}".`)

for (let list = 0; list < WARM; list++) run(named(`warm${list}`))
const lists = Array.from({ length: LISTS }, (_, list) => named(`new${list}`))
const before = held()
const times = lists.map((tools) => {
  const began = performance.now()
  run(tools)
  return performance.now() - began
})
console.log(JSON.stringify({ ms: median(times), kept: (held() - before) / LISTS }))

/**
 * @param {string} list
 * @returns {Tools}
 */
function named(list) {
  const words = ['read', 'write', 'search', 'list', 'update', 'delete', 'create', 'send']
  return Array.from({ length: Number(count) }, (_, index) => ({
    name: `${words[index % words.length]}_${list}_item_${index}`,
  }))
}

/** @param {Tools} tools */
function reply(tools) {
  return `I will look.\n<tool_call>\n{"name": "${first(tools)}", "arguments": {"city": "Hanoi"}}\n</tool_call>`
}

/** @param {Tools} tools */
function element(tools) {
  return `I will look.\n<${first(tools)}>\n<city>Hanoi</city>\n</${first(tools)}>`
}

/** @param {Tools} tools */
function first([tool]) {
  return tool?.name ?? ''
}

/** @param {import('@toolglot/core').Reply} reply */
function called({ calls }) {
  if (calls.length !== 1) throw new Error(`${calls.length} calls were read instead of one.`)
}

function held() {
  if (!gc) throw new Error('Start it with --expose-gc.')
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
