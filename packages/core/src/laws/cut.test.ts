// Law 3: a reply that was cut off has no complete call that the whole reply does not have. If the
// parser does not know about the cut, no complete call lacks a required argument.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toolsOf } from '../check/tools-of.ts'
import { examples } from '../../test/examples.ts'
import { tools } from '../../test/known-tools.ts'
import { spoiled } from '../../test/mutations.ts'
import { completeCalls, read } from '../check/reading.ts'
import { HOURS, placesIn, runs, share } from '../../../../tests/helpers/size.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import {
  collectReply,
  createParser,
  type Example,
  type Finish,
  parse,
  protocols,
  type ToolDefinition,
} from '../index.ts'
import { lacksRequired } from '../schema/property.ts'

/** The tools of an example, which require the arguments that all of its calls have. */
function strictTools(example: Example): readonly ToolDefinition[] {
  const { calls = [] } = example
  return toolsOf({ example }).map(({ name, parameters }) => {
    const given = calls.filter(([called]) => called === name).map(([, args]) => args)
    const required = Object.keys(given[0]!).filter((key) => given.every((args) => key in args))
    return { name, parameters: { ...parameters, required } }
  })
}

const ends: readonly (Finish | undefined)[] = ['length', 'broken', 'stop', 'stop-string', undefined]

test.each(share(Object.values(protocols), 2))(
  '$id: an example that is cut off has no complete call that lacks an argument',
  { timeout: HOURS },
  (protocol) => {
    const wrong: unknown[] = []
    for (const { title, example } of examples.filter((one) => one.protocol === protocol)) {
      const tools = strictTools(example)
      for (const way of [{ protocols: protocol, tools }, { tools }]) {
        const read = (text: string, finish?: Finish): [name: string, args: object][] => {
          const parser = createParser(way)
          const events = [...parser.feed(text), ...parser.end(finish && { finish })]
          const { calls } = collectReply(events)
          return calls.filter((call) => call.complete).map(({ name, args }) => [name, args])
        }
        const lacks = ([name, args]: [name: string, args: object]): boolean =>
          lacksRequired(tools.find((tool) => tool.name === name)?.parameters, args)
        const whole = read(example.wire)
        // With all protocols, each prefix is parsed again, so one ending of each kind is enough.
        const tried = 'protocols' in way ? ends : (['length', 'stop'] as const)
        // examples.test.ts cuts them at every position.
        for (const at of placesIn(example.wire)) {
          for (const finish of tried) {
            const calls = read(example.wire.slice(0, at), finish)
            const isCut = finish === 'length' || finish === 'broken'
            const isRight = isCut
              ? JSON.stringify(calls) === JSON.stringify(whole.slice(0, calls.length))
              : !calls.some(lacks)
            if (!isRight) wrong.push({ title, at, finish, calls })
          }
        }
      }
    }
    expect(wrong).toEqual([])
  },
)

const cuts = fc.array(fc.nat({ max: 4000 }), { minLength: 1, maxLength: 6 })

describe.each(kinds)('$kind', ({ list }) => {
  test('a prefix has no complete call that the whole reply lacks', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(
        spoiled(list),
        cuts,
        fc.constantFrom('length' as const, 'broken' as const),
        ({ source, text }, places, end) => {
          for (const way of waysOf(source)) {
            const whole = completeCalls(read([text], way))
            for (const place of places) {
              const start = text.slice(0, place % (text.length + 1))
              const calls = completeCalls(read([start], way, end))
              for (const call of calls) expect(whole).toContainEqual(call)
            }
          }
        },
      ),
      runs(500),
    )
  })
})

test('a call with an object in place of tags is incomplete if a value in it is open', () => {
  const text = '<invoke name=ping>\n{"a": "x", "b": {"c": "y}}\n</tool_call>'
  const { calls } = parse(text, { protocols: protocols['dots'] })
  expect(calls).toMatchObject([{ name: 'ping', complete: false }])
})

test.each([
  ['xlam', '[{"name": "ping", "arguments": {"n": 1}}', ', {"na'],
  ['xlam', 'So: [{"name": "ping", "arguments": {"n": 1}}', '](https://example.org)'],
  ['pythonic', '[ping(n=1)', '](https://example.org)'],
  ['pythonic', 'So: [ping(n=1)', ' for n in list]'],
] as const)(
  '%s: a list that may be prose has no complete call if it was cut off: %s',
  (id, start, prose) => {
    const complete = (text: string, finish: Finish): number =>
      completeCalls(read([text], { protocols: protocols[id] }, finish)).length
    expect(complete(start + prose, 'stop')).toBe(0)
    expect(complete(start, 'length')).toBe(0)
    // The address of a link may follow.
    expect(complete(`${start}]`, 'broken')).toBe(0)
    expect(complete(`${start}]`, 'stop')).toBe(1)
    // The following text shows that this is not a link.
    expect(complete(`${start}]\n`, 'length')).toBe(1)
  },
)

test('all calls of a section in an unreadable block are marked', () => {
  const section = '<|tools_prefix|>[{"ping": {}}, {"ping": {}}]<|tools_suffix|>'
  const { calls } = parse(`<tool_call>write_file\n<path>${section}${section}`)
  expect(calls.map(({ afterMalformed }) => afterMalformed)).toEqual([
    true,
    true,
    undefined,
    undefined,
  ])
})

test.each(['write_file\n<path>', 'write_file\n<path>a</path>\n<content>'])(
  'an argument that was cut off contains no call: %s',
  (start) => {
    const written = `${start}<|tools_prefix|>[{"ping": {}}, {"ping": {}}`
    expect(completeCalls(read([written], { tools }, 'length'))).toEqual([])
  },
)
