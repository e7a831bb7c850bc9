import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { goldens } from '../../test/fixtures/prompt-goldens.ts'
import { calls, tools } from '../../test/prompt-tools.ts'
import { type PrintableCall, printCalls, printPrompt, printResults, protocols } from '../index.ts'

test('every protocol is in the table', () => {
  expect(Object.keys(goldens)).toEqual(Object.keys(protocols))
})

test.each(Object.entries(goldens))('%s', (id, expected) => {
  const protocol = protocols[id]!
  const given = calls.map(({ name, args, id: own }): PrintableCall =>
    expected.numbered ? { name, args } : { name, args, id: own },
  )
  const outputs = ['{"ms":3}', 'noon']
  const results = given.map((call, i) => ({ call, output: outputs[i] }))
  const prompt = printPrompt(protocol, tools.slice(1))
  expect(prompt).toContain(expected.tools)
  expect(createHash('sha256').update(prompt).digest('hex').slice(0, 8)).toBe(expected.digest)
  expect(printCalls(protocol, given)).toBe(expected.calls)
  expect(printResults(protocol, results)).toBe(expected.results)
})
