import { describe, expect, test } from 'vitest'
import { args, each, key, name, output, value, wire } from '../draw.ts'
import { examplesOf } from '../../test/protocol-examples.ts'
import { runs, share } from '../../../../tests/helpers/size.ts'
import type { Hole } from '../hole.ts'
import { type Examples, type Protocol, protocols } from '../index.ts'
import { checkProtocol, type LawReport, protocolProblem } from './check.ts'

/** The broken laws, each with the problem of its first failing text. */
function broken(reports: readonly LawReport[], { advice = false } = {}): [string, string][] {
  return reports
    .filter((report) => report.failures.length > 0 && report.advice === advice)
    .map(({ law, failures }) => [law, failures[0]!.problem])
}

/** One protocol of each kind. The tests in laws/ cover all protocols, and more thoroughly. */
const kinds = ['hermes', 'mistral', 'tool-xml', 'tool-yaml', 'vcp', 'qwen3-coder', 'tool-function']

test.each(share(kinds, 7))(
  '%s keeps the laws',
  (id) => {
    const protocol = protocols[id]!
    const texts = runs(40).numRuns
    const reports = checkProtocol(protocol, { examples: examplesOf(protocol), texts })
    const found = broken(reports).filter(([, problem]) => problem !== 'it has no examples')
    expect(found).toEqual([])
  },
  60_000,
)

const examples: Examples = {
  'one call': { wire: '=> ping {"n": 1} <=', calls: [['ping', { n: 1 }]] },
}
const arrow: Protocol = {
  id: 'arrow',
  about: 'Our own fine-tune',
  call: wire`=> ${name} ${args} <=`,
  result: wire`<result>${output}</result>`,
  prompt: ({ tools, example }) => `Tools: ${tools.map((tool) => tool.name).join(', ')}\n${example}`,
}

test('a custom protocol keeps all laws', () => {
  const reports = checkProtocol(arrow, { examples, texts: runs(400).numRuns })
  expect(broken(reports)).toEqual([])
  expect(broken(reports, { advice: true })).toEqual([])
  for (const { tried } of reports) expect(tried).toBeGreaterThan(0)
})

let reads = 0
const moody: Hole = {
  ...args,
  *read(reading) {
    return (yield* args.read(reading)) && reads++ % 2 === 0
  },
}
const slow: Hole = {
  ...args,
  *read(reading) {
    for (let at = 0; at < reading.input.place; at += 16) 'x'.charCodeAt(0)
    return yield* args.read(reading)
  },
}

describe('broken laws are reported', () => {
  test.each<[name: string, change: Partial<Protocol>, Examples, law: string, problem: string]>([
    [
      'an example that states something else',
      {},
      { 'one call': { wire: '=> ping {"n": 2} <=', calls: [['ping', { n: 1 }]] } },
      'its examples are read as stated',
      'calls: [["ping",{"n":2}]] instead of [["ping",{"n":1}]]',
    ],
    ['none', {}, {}, 'its examples are read as stated', 'it has no examples'],
    [
      'an example that is printed differently',
      {},
      { spaced: { wire: '=>  ping {"n":1} <=', calls: [['ping', { n: 1 }]] } },
      'an example is what printing writes, or a variant',
      'it is printed as "=> ping {\\"n\\": 1} <=": set variant: true if that is intended',
    ],
    [
      'a call without marks, which counts only for this protocol alone',
      { call: wire`${name}: ${args}` },
      { 'and text': { wire: 'ping: {"n": 1} so', calls: [['ping', { n: 1 }]], text: ' so' } },
      'they are read the same way among all other protocols',
      'calls: [] instead of [["ping",{"n":1}]]',
    ],
    [
      'a hole that depends on chunks',
      { call: wire`=> ${name} ${moody} <=` },
      examples,
      'any chunking gives the same reply',
      'it differs',
    ],
    [
      'a hole that looks at all the text before it',
      { call: wire`=> ${name} ${slow} <=` },
      examples,
      'four times the text takes four times the work',
      '4 times the text is 1',
    ],
    [
      'text without an end',
      { call: wire`=> ${name} ${each(wire`${key}: ${value()};`)} <=` },
      { 'one call': { wire: '=> ping <=', calls: [['ping', {}]] } },
      'what is printed is read back',
      'instead of [["write_file"',
    ],
    [
      'a prompt that throws',
      {
        prompt: () => {
          throw new Error('not yet')
        },
      },
      examples,
      'its prompt names the tools',
      'it throws Error: not yet',
    ],
    [
      'a prompt that names nothing',
      { prompt: () => '' },
      examples,
      'its prompt names the tools',
      'the prompt does not name it',
    ],
  ])(
    '%s',
    (_, change, given, law, problem) => {
      const found = broken(
        checkProtocol({ ...arrow, ...change }, { examples: given, texts: runs(50).numRuns }),
      )
      const report = found.find(([broken]) => broken === law)
      expect(report?.[1]).toContain(problem)
    },
    60_000,
  )
})

test.each<[value: unknown, problem: string | undefined]>([
  [arrow, undefined],
  [null, 'it is not an object'],
  ['arrow', 'it is not an object'],
  [{ ...arrow, id: 'Arrow!' }, 'id must be a name of lowercase letters, digits, dots and dashes'],
  [{ ...arrow, id: '../x' }, 'id must be a name of lowercase letters, digits, dots and dashes'],
  [{ ...arrow, call: '=> x' }, 'call must be a picture: wire`…`'],
  [{ ...arrow, call: [] }, 'call must be a picture: wire`…`'],
  [{ ...arrow, result: undefined }, 'result must be a picture: wire`…`'],
  [{ ...arrow, prompt: 'x' }, 'prompt must be a function'],
  [{ ...arrow, about: 1 }, 'about must be a string'],
  [{ id: 'arrow', call: arrow.call, result: arrow.result }, undefined],
])('%# a value is a protocol, or the problem is reported', (value, problem) => {
  expect(protocolProblem(value)).toBe(problem)
})

test('a protocol needs neither a description nor a prompt', () => {
  const { about: _, prompt: __, ...plain } = arrow
  const reports = checkProtocol(plain, { examples, texts: runs(400).numRuns })
  expect(reports.filter(({ failures, advice }) => !advice && failures.length > 0)).toEqual([])
})
