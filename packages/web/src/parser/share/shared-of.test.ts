import { expect, test } from 'vitest'
import { sharedOf } from './shared-of.ts'

const state = {
  text: 'Read it: <tool_call>{"name": "Read"}',
  protocol: 'hermes',
  finish: 'stop',
  startsInReasoning: false,
  drawn: '// private',
  fileDrawn: undefined,
} as const
const tools = [
  { name: 'Read', description: 'Reads.', parameters: { type: 'object' } },
  { name: 'mcp__private__secret', parameters: { type: 'object' } },
  { name: '' },
]

test('shares only what the reply requires', () => {
  const { text, protocol, finish, startsInReasoning } = state
  const shared = { text, protocol, finish, startsInReasoning }
  expect(sharedOf(state, tools)).toEqual({
    ...shared,
    tools: [{ name: 'Read', parameters: { type: 'object' } }],
  })
  expect(sharedOf(state, undefined)).toEqual(shared)
  expect(sharedOf({ ...state, protocol: 'drawn' }, undefined)).toEqual({
    ...shared,
    protocol: 'drawn',
    drawn: '// private',
  })
  expect(sharedOf({ ...state, protocol: 'drawn', fileDrawn: '// of a file' }, [])).toMatchObject({
    drawn: '// of a file',
    tools: [],
  })
})
