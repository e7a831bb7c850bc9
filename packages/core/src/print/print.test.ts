import { examplesOf } from '../../test/protocol-examples.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callsOf, isBeyond, number, text } from '../../test/printable-calls.ts'
import { printTools as tools } from '../check/print-tools.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { parse, type PrintableCall, printCall, printCalls, protocols } from '../index.ts'
import { inspect } from '../read/call-builder.ts'

const all = Object.values(protocols)

describe.each(all)('$id', (protocol) => {
  test('printed calls are read back', { timeout: HOURS }, () => {
    const calls = callsOf(protocol)
    fc.assert(
      fc.property(calls, (given) => {
        fc.pre(!given.some(({ args }) => isBeyond(protocol, args)))
        const reply = parse(printCalls(protocol, given), { protocols: protocol, tools })
        expect(reply.calls).toMatchObject(given.map(({ name }) => ({ name, complete: true })))
        const repairs = reply.calls.flatMap((read) => read.repairs)
        expect(repairs.filter((repair) => repair !== 'number-out-of-range')).toEqual([])
        expect(reply.calls.map(({ args }) => args)).toEqual(given.map(({ args }) => args))
        expect(reply.text.trim()).toBe('')
      }),
      runs(100),
    )
  })

  test('an id is read back if the picture has a place for it', () => {
    const id = 'a1B2c3D4e'
    const printed = printCall(protocol, { name: 'ping', args: {}, id })
    const [read] = parse(printed, { protocols: protocol, tools }).calls
    expect(read?.name).toBe('ping')
    if (printed.includes(id)) expect(read?.id).toBe(id)
  })

  test('a reason is read back', () => {
    const reasoning = 'to "see", </then> some'
    const printed = printCall(protocol, { name: 'ping', args: {}, reasoning })
    const [read] = parse(printed, { protocols: protocol, tools }).calls
    expect(read?.name).toBe('ping')
    if (printed.includes('</then>')) expect(read?.reasoning).toBe(reasoning)
  })

  test('an example is printed as written, unless it is a variant', () => {
    for (const { wire, variant, calls } of Object.values(examplesOf(protocol))) {
      if (variant || !calls) continue
      const read = parse(wire, { protocols: protocol, makeId: () => 'made' }).calls
      const given = calls.map(([name, args], i): PrintableCall => {
        const id = read[i]?.id
        return { name, args, ...(id !== undefined && id !== 'made' && { id }) }
      })
      expect(wire).toContain(printCalls(protocol, given).trimEnd())
    }
  })
})

/** Protocols with arguments as JSON, which need no schema to distinguish numbers from text. */
const json = [
  'hermes',
  'llama3',
  'llama3-json',
  'mistral',
  'mistral-array',
  'ptk',
  'tool-call',
  'tool-function',
  'tool-yaml',
]

describe.each(json)('%s, without a schema', (id) => {
  const protocol = protocols[id]!
  const python = id === 'tool-function'
  const key = python
    ? fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/)
    : text.filter((name) => name !== '')
  const args = fc.dictionary(key, fc.oneof(text, number, fc.jsonValue({ maxDepth: 4 })), {
    noNullPrototype: true,
  })

  test('printed calls are read back', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(args, (given) => {
        const reply = parse(printCall(protocol, { name: 'ping', args: given }), {
          protocols: protocol,
          tools: [{ name: 'ping' }],
        })
        if (!inspect(given)) {
          // Law 8: a call with an unsafe key is refused and reported.
          const refused = { type: 'malformed', problem: 'unsafe-key' }
          expect(reply.calls).toEqual([])
          expect(reply.segments).toContainEqual(expect.objectContaining(refused))
          return
        }
        expect(reply.calls).toMatchObject([{ name: 'ping', complete: true }])
        expect(JSON.stringify(reply.calls[0]?.args)).toBe(JSON.stringify(given))
      }),
      {
        ...runs(300),
        examples: [[{ in: 'null', _: '' }], [{ _: { prototype: false } }], [{ prototype: 1 }]],
      },
    )
  })
})

/** Protocols with arguments as text: without a schema, values are read back as text. */
describe.each(['tool-xml', 'vcp'])('%s, without a schema', (id) => {
  const protocol = protocols[id]!
  const key = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/)
  const args = fc.dictionary(key, text, { noNullPrototype: true })

  test('printed text is parsed back', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(args, (given) => {
        fc.pre(!isBeyond(protocol, given))
        const { calls: read } = parse(printCall(protocol, { name: 'ping', args: given }), {
          protocols: protocol,
        })
        expect(read).toMatchObject([{ name: 'ping', args: given, complete: true, repairs: [] }])
      }),
      runs(300),
    )
  })

  test('a value other than text is parsed back as its JSON', () => {
    const args = { n: 1, b: true, l: [1, 'x'], z: null }
    expect(
      parse(printCall(protocol, { name: 'ping', args }), { protocols: protocol }).calls,
    ).toMatchObject([{ args: { n: '1', b: 'true', l: '[1, "x"]', z: 'null' } }])
  })
})
