import fc from 'fast-check'
import { isLong } from '../../../tests/helpers/size.ts'

// Schemas that an attacker could send to block a server. All code that uses foreign schemas is
// tested with these.

/** Depth that overflows the stack of a recursive function. */
const DEPTH = isLong ? 100_000 : 20_000

type Schema = Readonly<Record<string, unknown>>

const reference = (name: string): Schema => ({ $ref: `#/$defs/${name}` })

function definitions(count: number, make: (at: number) => unknown): Schema {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, make(at)]))
}

/**
 * A schema whose definitions each apply the next one twice to the same value: `2 ** count` steps
 * without memoization.
 */
export function diamond(keyword: 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'if', count = 30): Schema {
  const step = (next: Schema): Schema => {
    if (keyword === 'not') return { not: { not: next }, ...next }
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    if (keyword === 'if') return { if: next, then: next }
    return { [keyword]: [next, next] }
  }
  const $defs = definitions(count, (at) =>
    at === count - 1 ? { type: 'object' } : step(reference(`d${at + 1}`)),
  )
  return { type: 'object', ...reference('d0'), $defs }
}

/**
 * Like the diamond above, for nested members: no value is visited twice, but a printed form has `2
 * ** count` lines.
 */
export function memberDiamond(count = 30): Schema {
  const $defs = definitions(count, (at) => {
    const next = at === count - 1 ? { type: 'string' } : reference(`d${at + 1}`)
    return { type: 'object', properties: { a: next, b: next } }
  })
  return { type: 'object', properties: { x: reference('d0') }, $defs }
}

/** Definitions that each refer to the next one. */
export function chain(length: number): Schema {
  return {
    type: 'object',
    properties: { a: reference('d0') },
    $defs: definitions(length, (at) =>
      at === length - 1 ? {} : { allOf: [reference(`d${at + 1}`)] },
    ),
  }
}

/** Schemas nested in a keyword. */
export function deep(keyword: string, depth = DEPTH): Schema {
  const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'enum']
  let inner: unknown = { type: 'string' }
  for (let at = 0; at < depth; at++) {
    if (keyword === 'properties') inner = { type: 'object', properties: { a: inner } }
    else if (keyword === 'default') inner = [inner]
    else inner = { [keyword]: LISTS.includes(keyword) ? [inner] : inner }
  }
  const member = keyword === 'default' ? { default: inner } : inner
  return { type: 'object', properties: { a: member } }
}

const DEEP = [
  'properties',
  'items',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'default',
  'enum',
  'prefixItems',
  'x-other',
]

/** Lists or objects nested in each other. */
export function deepValue(depth = DEPTH, kind: 'list' | 'object' = 'list'): unknown {
  let value: unknown = 1
  for (let at = 0; at < depth; at++) value = kind === 'list' ? [value] : { a: value }
  return value
}

const wide = Array.from({ length: 20_000 }, (_, at) => at)

/** Infinite schemas, which refer to themselves for the same value. */
export const endlessSchemas: Readonly<Record<string, Schema>> = {
  itself: { type: 'object', $ref: '#' },
  'itself in a list': { type: 'object', allOf: [{ $ref: '#' }] },
  'itself as an alternative': { type: 'object', anyOf: [{ $ref: '#' }, { type: 'object' }] },
  'itself negated': { type: 'object', not: { $ref: '#' } },
  'itself as a condition': { type: 'object', if: { $ref: '#' } },
  'itself by its name': { $id: 'a', type: 'object', $ref: 'a' },
  'itself by an anchor': { $anchor: 'a', type: 'object', oneOf: [{ $ref: '#a' }] },
  'itself dynamically': { $dynamicAnchor: 'a', type: 'object', $dynamicRef: '#a' },
  'each other': {
    type: 'object',
    ...reference('a'),
    $defs: { a: reference('b'), b: { oneOf: [reference('a')] } },
  },
  'a long circle': {
    type: 'object',
    ...reference('d0'),
    $defs: definitions(2000, (at) => ({ allOf: [reference(`d${(at + 1) % 2000}`)] })),
  },
}

/** Finite schemas that take `2 ** 30` steps without memoization. */
export const bombs: Readonly<Record<string, Schema>> = {
  allOf: diamond('allOf'),
  anyOf: diamond('anyOf'),
  oneOf: diamond('oneOf'),
  not: diamond('not'),
  if: diamond('if'),
  'alternatives in lists': {
    type: 'object',
    ...reference('d0'),
    $defs: definitions(30, (at) =>
      at === 29
        ? {}
        : { anyOf: [{ allOf: [reference(`d${at + 1}`)] }, { allOf: [reference(`d${at + 1}`)] }] },
    ),
  },
}

/** Other schemas that are expensive for a naive reader. Each must be used or refused quickly. */
export const heavySchemas: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(DEEP.map((keyword) => [`deep ${keyword}`, deep(keyword)])),
  members: memberDiamond(),
  chain: chain(20_000),
  'wide alternatives': {
    type: 'object',
    properties: { a: { anyOf: wide.map(() => ({ type: 'integer' })) } },
  },
  'wide properties': {
    type: 'object',
    properties: Object.fromEntries(wide.map((at) => [`p${at}`, reference('u')])),
    $defs: {
      u: { anyOf: wide.slice(0, 2000).map((at) => reference(`v${at % 3}`)) },
      v0: {},
      v1: {},
      v2: {},
    },
  },
  'many required': { type: 'object', required: wide.map((at) => `p${at}`) },
  'many choices': { type: 'object', properties: { a: { enum: wide.map((at) => ({ at })) } } },
  'long reference': { type: 'object', properties: { a: { $ref: `#${'/a'.repeat(100_000)}` } } },
  'many long references': {
    type: 'object',
    properties: Object.fromEntries(wide.slice(0, 2000).map((at) => [`p${at}`, reference('long')])),
    $defs: { long: { $ref: `#${'/properties/p0'.repeat(20_000)}` } },
  },
  'tree of itself': {
    type: 'object',
    properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] }, b: { items: { $ref: '#' } } },
  },
}

/** Patterns that take exponential time with backtracking, and inputs that trigger this. */
export const nastyPatterns: readonly (readonly [pattern: string, text: string])[] = [
  ['^(a+)+$', `${'a'.repeat(5000)}!`],
  ['^(a|a)*$', `${'a'.repeat(5000)}!`],
  ['^(a|aa)+$', `${'a'.repeat(5000)}!`],
  ['(x+x+)+y', 'x'.repeat(3000)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(3000)],
  ['(.*)*$x', 'b'.repeat(1000)],
  ['^(?=(a+)+$).*', `${'a'.repeat(2000)}!`],
  ['(?:a?){30}a{30}', 'a'.repeat(29)],
]

/** All nasty schemas by name. */
export const nastySchemas: readonly (readonly [name: string, schema: Schema])[] = Object.entries({
  ...endlessSchemas,
  ...bombs,
  ...heavySchemas,
  ...Object.fromEntries(
    nastyPatterns.map(([pattern]) => [
      `pattern ${pattern}`,
      {
        type: 'object',
        properties: { a: { type: 'string', pattern } },
        patternProperties: { [pattern]: {} },
      },
    ]),
  ),
})

/** Small JSON values that match parts of `schemaGraphs`. */
export const smallValues: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, 1, 2, 1.5, '', 'a', 'ab', 'abc'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).any

const TYPE = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const NAMES = ['d0', 'd1', 'd2', 'd3'] as const

/**
 * Random schemas whose definitions refer to each other and to themselves, with nesting keywords.
 */
export const schemaGraphs: fc.Arbitrary<Schema> = fc
  .record({
    root: schemaNode(),
    $defs: fc.record(Object.fromEntries(NAMES.map((name) => [name, schemaNode()]))),
  })
  .map(({ root, $defs }) => ({
    ...(typeof root === 'boolean' ? { allOf: [root] } : (root as Schema)),
    $defs,
  }))

function schemaNode(): fc.Arbitrary<unknown> {
  return fc.letrec<{ any: unknown }>((tie) => {
    const any = tie('any')
    const some = fc.array(any, { minLength: 1, maxLength: 3 })
    const named = fc.dictionary(fc.constantFrom('a', 'b', 'c'), any, {
      maxKeys: 3,
      noNullPrototype: true,
    })
    const count = fc.nat(3)
    const keywords = {
      $ref: fc.constantFrom('#', ...NAMES.map((name) => `#/$defs/${name}`)),
      type: fc.oneof(TYPE, fc.uniqueArray(TYPE, { minLength: 1, maxLength: 3 })),
      ...{ enum: fc.array(smallValues, { minLength: 1, maxLength: 3 }), const: smallValues },
      // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
      ...{ allOf: some, anyOf: some, oneOf: some, not: any, if: any, then: any, else: any },
      ...{ properties: named, additionalProperties: any, propertyNames: any },
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '[ac]'), any, {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
      dependentRequired: fc.constant({ a: ['b'] }),
      dependentSchemas: named,
      ...{ prefixItems: some, items: any, contains: any, uniqueItems: fc.boolean() },
      ...{ minContains: count, maxContains: count, minItems: count, maxItems: count },
      ...{ minProperties: count, maxProperties: count, minLength: count, maxLength: count },
      ...{ minimum: count, maximum: count, exclusiveMinimum: count, exclusiveMaximum: count },
      multipleOf: fc.constantFrom(1, 2, 0.5),
      pattern: fc.constantFrom('^a', 'b', '^(a|b)*$', '^.{2}$'),
      ...{ unevaluatedProperties: any, unevaluatedItems: any },
    }
    const few = fc
      .subarray(Object.keys(keywords) as (keyof typeof keywords)[], { maxLength: 3 })
      .chain((names) =>
        fc.record(
          Object.fromEntries(names.map((name) => [name, keywords[name] as fc.Arbitrary<unknown>])),
        ),
      )
    return {
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.boolean(),
        fc.record({ type: TYPE }),
        fc.record({ $ref: keywords.$ref }),
        few,
        few,
      ),
    }
  }).any
}
