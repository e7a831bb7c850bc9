// Law: details describe the changes of repairs. Applying all of these changes to a reply yields the
// same calls.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spoiled } from '../../test/mutations.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { own, type Source } from '../../test/sources.ts'
import { details } from '../details/details.ts'
import { parse, type ParserOptions, protocols, type RepairDetail } from '../index.ts'

/** The examples with arguments as a JSON object. */
const sources = own.filter(({ text }) => text.includes('{"'))

/**
 * The first three report a key but act on its whole member. The rest are around a call: without
 * them, another picture of the protocol may match.
 */
const UNAPPLIED = new Set([
  'extra-member',
  'flat-arguments',
  'unknown-key',
  'several-calls',
  'stray-text',
  'missing-closer',
])

/** Common errors in JSON. */
const SLIPS: readonly (readonly [pattern: string, written: string])[] = [
  ['}', ',}'],
  ['"', "'"],
  ['"', ''],
  [', ', ' '],
  [',', ', // "so"\n'],
  [',', ', /* // */'],
  [': "', ': "\\$'],
  [': "', ': "a "b" '],
  [': "', ': "\n'],
  [': "', ': None, "'],
  ['{"', '{"x": 12345678901234567890, "'],
  ['{"', '{"x": "12345678901234567890", "'],
  ['{"', "{'it\\'s': 1, \""],
  ['{', '{{'],
  ['}', ''],
  ['}', '}}'],
  [':', ': /* , */'],
]

/** A reply with up to four such errors. */
const slipped: fc.Arbitrary<{ source: Source; text: string }> = fc
  .tuple(
    fc.constantFrom(...sources),
    fc.array(fc.tuple(fc.constantFrom(...SLIPS), fc.nat({ max: 100 })), { maxLength: 4 }),
  )
  .map(([source, slips]) => {
    let { text } = source
    for (const [[pattern, written], which] of slips) {
      const parts = text.split(pattern)
      const at = which % parts.length
      if (at > 0) text = parts.slice(0, at).join(pattern) + written + parts.slice(at).join(pattern)
    }
    return { source, text }
  })

/** Applies these changes to a text. Of nested changes, only the outer one is applied. */
function applied(text: string, changes: readonly RepairDetail[]): string {
  let [done, end] = ['', 0]
  for (const { span, became } of changes) {
    if (span[0] < end) continue
    done += text.slice(end, span[0]) + became
    end = span[1]
  }
  return done + text.slice(end)
}

/** Checks the law for one reply. */
function check({ source, text }: { source: Source; text: string }): void {
  const options: ParserOptions = { ...source.options, protocols: source.protocol, details }
  const { calls } = parse(text, options)
  const changes = calls.flatMap((call) => call.details ?? [])
  if (calls.some(({ complete }) => !complete)) return
  if (changes.some(({ name }) => UNAPPLIED.has(name))) return
  const fixed = applied(
    text,
    changes.filter(({ was, became }) => was !== became),
  )
  if (fixed === text) return
  const meant = (all: typeof calls): unknown[] => all.map(({ name, args }) => ({ name, args }))
  expect(meant(parse(fixed, options).calls)).toEqual(meant(calls))
}

test('applying all changes yields the same calls', { timeout: HOURS }, () => {
  fc.assert(fc.property(fc.oneof(slipped, spoiled(sources)), check), runs(3000))
})

test('a section that lacks only its closing mark at the end of the turn is read, even in code and in another protocol', () => {
  const call = 'call tool="ping" index="1"<|sep|><|close|>call<|sep|>'
  const source = own.find(({ protocol }) => protocol.id === 'apertus')!
  const { options } = source
  const text = `\`\`\`\n<|open|>tools${call}<|close|>toolsmessage<|sep|>`
  expect(parse(text, { ...options, protocols: source.protocol }).calls).toHaveLength(1)
  check({ source, text })
  const repaired = `<|open|>tools<|sep|><|open|>${call}<|close|>toolsmessage<|sep|>`
  const { segments } = parse(repaired, { ...options, protocols: protocols['kimi-k3'] })
  expect(segments.map(({ type }) => type)).toEqual(['mark', 'call', 'mark'])
})
