// Schemas intended to block the program that uses them: some are refused, the rest are usable but
// expensive.

/** @param {string} name */
const reference = (name) => ({ $ref: `#/$defs/${name}` })
/**
 * @param {number} count
 * @param {(at: number) => unknown} make
 */
const definitions = (count, make) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, make(at)]))

/**
 * Each definition refers twice to the next: a billion steps in 1.5 KB.
 *
 * @param {string} keyword
 */
function diamond(keyword) {
  const $defs = definitions(30, (at) =>
    at === 29
      ? { type: 'object' }
      : { [keyword]: [reference(`d${at + 1}`), reference(`d${at + 1}`)] },
  )
  return { type: 'object', ...reference('d0'), $defs }
}

const union = { anyOf: Array.from({ length: 2000 }, (_, at) => reference(`d${at % 30}`)) }

/** @type {readonly object[]} */
export const hostileSchemas = [
  diamond('allOf'),
  diamond('anyOf'),
  diamond('oneOf'),
  { type: 'object', anyOf: [{ $ref: '#' }, { $ref: '#' }] },
  {
    type: 'object',
    properties: { a: { pattern: '^(a+)+$' } },
    patternProperties: { '(x+x+)+y': {} },
  },
  {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`p${at}`, reference('union')]),
    ),
    $defs: { union, ...definitions(30, () => ({ type: 'string' })) },
  },
  {
    type: 'object',
    properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } },
    required: Array.from({ length: 2000 }, (_, at) => `p${at}`),
  },
]
