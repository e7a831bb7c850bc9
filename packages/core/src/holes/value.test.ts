import { describe, expect, test } from 'vitest'
import { parse, printCalls, protocols, type Tool } from '../index.ts'
import { tokens } from '../read/compile.ts'
import type { Wire } from '../wire.ts'

const text = { type: 'string' }
const tools: readonly Tool[] = [
  {
    name: 'write_file',
    parameters: { type: 'object', properties: { path: text, content: text } },
  },
  { name: 'bash', parameters: { type: 'object', properties: { command: text, limit: text } } },
]

/** Those that write an argument between tags of its own, with nothing to escape a mark. */
const tagged = ['deepseek-dsml', 'dots', 'glimmer', 'glm', 'hunyuan-v3', 'k-exaone', 'laguna']
  .concat(['minimax-m2', 'qwen3-coder', 'seed-oss', 'step3'])
  .map((id) => protocols[id]!)

/** The marks drawn behind the arguments. */
function closers(wire: Wire | undefined): string[] {
  const last = wire?.at(-1)
  return typeof last === 'string' ? tokens(last) : []
}

describe.each(tagged)('a value in $id', (protocol) => {
  const outer = [...closers(protocol.call), ...closers(protocol.section)]

  test.each(outer)('may end with %s', (mark) => {
    for (const content of [`a ${mark}`, `a\n${mark}`, `a ${mark}\n${mark}`, `${mark} b`]) {
      for (const args of [
        { content, path: 'p' },
        { path: 'p', content },
      ]) {
        const printed = printCalls(protocol, [{ name: 'write_file', args }])
        for (const told of [{ protocols: protocol, tools }, { tools }]) {
          const { calls } = parse(printed, told)
          expect(calls).toMatchObject([{ args, complete: true, repairs: [] }])
        }
      }
    }
  })
})
