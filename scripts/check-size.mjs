// Core runs anywhere: one small bundle that imports nothing and needs nothing around it.
import assert from 'node:assert/strict'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from './ready.mjs'

// With every protocol. The goal is 45.
const limit = 50 * 1024
const reply = `I will look.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Hà Nội"}}
</tool_call>`

const bundle = await rolldown({
  input: `${root}/packages/core/dist/index.js`,
  platform: 'browser',
})
const { output } = await bundle.generate({ format: 'iife', name: 'toolglot', minify: true })
const [{ code, imports, dynamicImports, exports }] = output
const size = gzipSync(code).length

assert.equal(output.length, 1, 'core must be one chunk')
assert.deepEqual([...imports, ...dynamicImports], [], 'core must import nothing')
assert.ok(size <= limit, `core is ${size} bytes gzipped, more than ${limit}`)

const figure = `core is ${(size / 1024).toFixed(1)} KB gzipped, of ${limit / 1024} KB`
if (exports.includes('parse')) {
  const context = createContext({ reply }, { codeGeneration: { strings: false, wasm: false } })
  const calls = runInContext(`${code}\nJSON.stringify(toolglot.parse(reply).calls)`, context)
  const [{ name, args }] = JSON.parse(calls)
  assert.deepEqual({ name, args }, { name: 'get_weather', args: { city: 'Hà Nội' } })
  console.log(figure)
} else {
  console.log(`${figure}; not tried, because it has no parse yet`)
}
