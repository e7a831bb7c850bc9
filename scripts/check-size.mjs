// Core and the client run anywhere: each fits in one small bundle without imports or requirements
// on the environment.
import assert from 'node:assert/strict'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { entry } from './entry.mjs'
import { root } from './ready.mjs'

const core = `${root}/packages/core/dist`
const client = `${root}/packages/server/dist/client`
const reply = `I will look.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Hà Nội"}}
</tool_call>`

const calls = [['get_weather', { city: 'Hà Nội' }]]
/** @param {string} read */
const callsIn = (read) => `toolglot.${read}.calls.map(({ name, args }) => [name, args])`

/** The bundles, their maximum sizes in KB, and an expression with its expected value. */
const bundles = [
  {
    name: 'every protocol',
    limit: 46.2,
    code: `export { createParser, parse, parseStream } from '${core}/index.js'`,
    expression: callsIn('parse(reply)'),
    value: calls,
  },
  {
    name: 'every protocol with its prompt',
    limit: 58.9,
    code: `export { createParser, parse, parseStream, printPrompt } from '${core}/index.js'`,
    expression: `toolglot.printPrompt('hermes', [{ name: 'ping' }]).includes('"ping"')`,
    value: true,
  },
  {
    name: 'all of core',
    limit: 66.8,
    code: `export * from '${core}/index.js'`,
    expression: callsIn('parse(reply)'),
    value: calls,
  },
  {
    name: 'one protocol',
    limit: 24.2,
    code: `export { createParser, parse } from '${core}/engine.js'
      export { hermes } from '${core}/protocols/hermes.js'`,
    expression: callsIn('parse(reply, { protocols: toolglot.hermes })'),
    value: calls,
  },
  {
    name: 'the client',
    limit: 4,
    code: `export * from '${client}/index.js'`,
    expression: `Object.keys(toolglot.createClient({ url: 'http://127.0.0.1:4747' }))`,
    value: ['request', 'events', 'approvals', 'gatewayRequests'],
  },
]

for (const { name, limit, code, expression, value } of bundles) {
  const bundle = await rolldown({ input: 'entry', platform: 'browser', plugins: [entry(code)] })
  const { output } = await bundle.generate({
    format: 'iife',
    name: 'toolglot',
    minify: true,
    // Comments for bundlers are not part of shipped code.
    comments: false,
  })
  const [chunk] = output
  const size = gzipSync(chunk.code).length

  assert.equal(output.length, 1, `${name} must be one chunk`)
  assert.deepEqual([...chunk.imports, ...chunk.dynamicImports], [], `${name} must import nothing`)
  assert.ok(size <= limit * 1024, `${name} is ${size} bytes gzipped, more than ${limit} KB`)

  const context = createContext({ reply }, { codeGeneration: { strings: false, wasm: false } })
  const found = runInContext(`${chunk.code}\nJSON.stringify(${expression})`, context)
  assert.deepEqual(JSON.parse(found), value)
  console.log(`${name} is ${(size / 1024).toFixed(1)} KB gzipped, of ${limit} KB`)
}
