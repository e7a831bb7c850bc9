// Core runs anywhere: one small bundle without imports that needs no particular environment.
import assert from 'node:assert/strict'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { entry } from './entry.mjs'
import { root } from './ready.mjs'

const core = `${root}/packages/core/dist`
const reply = `I will look.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Hà Nội"}}
</tool_call>`

/** What is bundled, its maximum size in KB, and how it reads a reply. The goals are 45 and 15. */
const bundles = [
  { name: 'core', limit: 59.6, code: `export * from '${core}/index.js'`, read: 'parse(reply)' },
  {
    name: 'one protocol',
    limit: 21.1,
    code: `export { createParser, parse } from '${core}/engine.js'
      export { hermes } from '${core}/protocols/hermes.js'`,
    read: 'parse(reply, { protocols: toolglot.hermes })',
  },
]

for (const { name, limit, code, read } of bundles) {
  const bundle = await rolldown({ input: 'entry', platform: 'browser', plugins: [entry(code)] })
  const { output } = await bundle.generate({
    format: 'iife',
    name: 'toolglot',
    minify: true,
    // Notes for bundlers are not shipped.
    comments: false,
  })
  const [chunk] = output
  const size = gzipSync(chunk.code).length

  assert.equal(output.length, 1, `${name} must be one chunk`)
  assert.deepEqual([...chunk.imports, ...chunk.dynamicImports], [], `${name} must import nothing`)
  assert.ok(size <= limit * 1024, `${name} is ${size} bytes gzipped, more than ${limit} KB`)

  const context = createContext({ reply }, { codeGeneration: { strings: false, wasm: false } })
  const calls = runInContext(`${chunk.code}\nJSON.stringify(toolglot.${read}.calls)`, context)
  const [call] = JSON.parse(calls)
  assert.deepEqual([call.name, call.args], ['get_weather', { city: 'Hà Nội' }])
  console.log(`${name} is ${(size / 1024).toFixed(1)} KB gzipped, of ${limit} KB`)
}
