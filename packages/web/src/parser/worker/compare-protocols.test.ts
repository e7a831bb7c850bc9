import { expect, test } from 'vitest'
import { compareProtocols } from './compare-protocols.ts'
import { readReply } from './read-reply.ts'

const never = (): undefined => undefined

async function first(text: string) {
  const options = { protocol: 'auto', finish: 'stop', startsInReasoning: false } as const
  const { stored } = await readReply({ text, options, chunk: 6 }, never)
  const { comparison } = await compareProtocols(text, options, never, stored)
  return comparison.tracks[0]!.protocols[0]
}

test('the best reading comes first, named after the best-known protocol', async () => {
  const call = '<tool_call>\n{"name": "Read", "arguments": {"a": "b"}}\n</tool_call>'
  expect(await first(`Look:\n${call}`)).toBe('hermes')
  expect(await first(`${call}\n<tool_call>{"name": "Re</tool_call>\nDone.`)).toBe('hermes')
  expect(await first('[TOOL_CALLS][{"name": "Grep", "arguments": {}}]')).toMatch(/^mistral/)
})
