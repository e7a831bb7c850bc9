// Replies of untrained models: every call in the corpus is found, and no answer is mistaken for a
// call, however the reply is split.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  collectReply,
  createParser,
  type Finish,
  type Reply,
  type ToolDefinition,
} from '../index.ts'
import { longTest, placesIn } from '../../../../tests/helpers/size.ts'

interface Case {
  readonly id: string
  readonly text: string
  readonly expected: readonly { name: string; args: unknown }[]
  readonly finish?: Finish
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../test/fixtures/${name}`, import.meta.url), 'utf8')

const { standard: tools } = JSON.parse(fixture('weak-tools.json')) as { standard: ToolDefinition[] }
const cases = fixture('weak.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

function read(chunks: readonly string[], finish: Finish = 'stop'): Reply {
  const parser = createParser({ protocols: 'hermes', tools, makeId: (index) => `call${index}` })
  return collectReply([...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end({ finish })])
}

const numbered = cases.map((each, number) => ({ ...each, number }))

describe.each(numbered)('$id', ({ text, expected, finish, number }) => {
  const testMany = number % 3 === 0 ? test : longTest
  const reply = read([text], finish)

  test('is read correctly', () => {
    const calls = reply.calls.filter(({ complete }) => complete)
    expect(calls.map(({ name, args }) => ({ name, args }))).toEqual(expected)
  })

  testMany('is read the same in single characters, and nothing is lost', () => {
    expect(read(text.split(''), finish)).toEqual(reply)
    const spans = reply.segments.map(({ span }) => span)
    expect([0, ...spans.map(([, to]) => to)]).toEqual([...spans.map(([from]) => from), text.length])
  })

  testMany('has no such call wherever it is cut', () => {
    for (const end of placesIn(text))
      for (const call of read([text.slice(0, end)], 'length').calls)
        expect(call).not.toMatchObject({ complete: true, otherProtocol: true })
  })
})
