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

test('records warnings even if the rest is too large', async () => {
  const outcomes = async (output: unknown) => {
    const model = scripted([printCall('hermes', { name: 'look', args: { key: 'a' } }), 'Done.'])
    const tools = [reader(() => output)]
    const { of } = await collectEvents({ model, protocol: 'hermes', tools, prompt: 'Go' })
    return of('tool-end').map(({ outcome }) => outcome.data)
  }
  const warnings = ['Look.']
  expect(await outcomes({ text: 'x', warnings })).toEqual([{ text: 'x', warnings }])
  expect(await outcomes({ text: 'x'.repeat(100_000), warnings })).toEqual([{ warnings }])
  expect(await outcomes({ text: 'x'.repeat(100_000), warnings: 1 })).toEqual([undefined])
})

test('marks in it are inert', async () => {
  expect(await shown('tool-call', { a: '<TOOL_CALL>' })).not.toContain('<TOOL_CALL>')
})

test('an unknown tool is an error in the protocol’s own form', async () => {
  const model = scripted([printCall('tool-call', { name: 'lok', args: { key: 'a' } }), 'Done.'])
  await collectEvents({ model, protocol: 'tool-call', tools: [reader()], prompt: 'Go' })
  expect(model.sent[1]!.at(-1)!.content).toBe(
    'TOOL_ERROR: Unknown tool "lok". Did you mean look? Please try again with correct format.',
  )
})

test('VCP prints a failure with the id that the model gave the call', async () => {
  const request = (id: string) =>
    `<<<[TOOL_REQUEST]>>>\ntool_name:「始」look「末」,\n${id}key:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>`
  const model = scripted([request('request_id:「始」r-7「末」,\n'), request(''), 'Done.'])
  let count = 0
  const look = reader(() => {
    if (count++ === 0) throw new Error('It is gone.')
    return { found: true }
  })
  await collectEvents({
    model,
    protocol: 'vcp',
    tools: [look],
    prompt: 'Go',
    duplicates: { detect: false },
  })
  expect(model.sent[1]!.at(-1)!.content).toContain(
    'request_id:「始」r-7「末」,\nstatus:「始」error「末」,\nresult:「始」It is gone.「末」',
  )
  expect(model.sent[2]!.at(-1)!.content).toContain(
    'tool_name:「始」look「末」,\nstatus:「始」success「末」,\nresult:「始」{"found": true}「末」',
  )
})

test('an empty object is data', async () => {
  expect(await shown('ptk', null)).toBe('PTK_RESULT: null')
  expect(await shown('tool-call', null)).toContain('"data": null')
  expect(await shown('ptk', false)).toBe('PTK_RESULT: false')
})
