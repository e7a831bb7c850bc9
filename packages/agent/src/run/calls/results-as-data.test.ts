import { printCall } from '@toolglot/core'
import { expect, test } from 'vitest'
import { collectEvents } from '../../../test/collect-events.ts'
import { scripted } from '../../../test/scripted.ts'
import { reader } from '../../../test/tools.ts'

const shown = async (protocol: 'tool-call' | 'ptk' | 'hermes', output: unknown) => {
  const model = scripted([printCall(protocol, { name: 'look', args: { key: 'a' } }), 'Done.'])
  await collectEvents({ model, protocol, tools: [reader(() => output)], prompt: 'Go' })
  return model.sent[1]!.at(-1)!.content
}

test('an object reaches the printer as data', async () => {
  expect(await shown('tool-call', { content: 'x' })).toContain('"data": {"content": "x"}')
  expect(await shown('ptk', { content: 'x', size: 45 })).toBe(
    'PTK_RESULT: {"content": "x", "size": 45}',
  )
  expect(await shown('ptk', 7)).toBe('PTK_RESULT: 7')
  expect(await shown('ptk', 'text')).toBe('PTK_RESULT: "text"')
  expect(await shown('hermes', { a: 1 })).toContain('{"a": 1}')
})

test('marks in it are inert', async () => {
  expect(await shown('tool-call', { a: '<TOOL_CALL>' })).not.toContain('<TOOL_CALL>')
})

test('an unknown tool is an error in the protocol’s own form', async () => {
  const model = scripted([printCall('tool-call', { name: 'lok', args: { key: 'a' } }), 'Done.'])
  await collectEvents({ model, protocol: 'tool-call', tools: [reader()], prompt: 'Go' })
  expect(model.sent[1]!.at(-1)!.content).toBe(
    'TOOL_ERROR: There is no tool "lok". Did you mean look? Please try again with correct format.',
  )
})
