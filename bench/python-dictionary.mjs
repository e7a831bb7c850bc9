// Converts Python calls to dictionaries: `[f(a='x')]` becomes `{'a': 'x'}`, including any mistakes.

/**
 * The arguments of one recorded call as a dictionary, and the expected result: undefined if they
 * cannot be repaired. Returns undefined for records about other functions.
 *
 * @param {{ fn: string, input: string, result: unknown, exc: string | null }} recorded
 * @returns {{ text: string, expected: unknown } | undefined}
 */
export function dictionaryOf({ fn, input, result, exc }) {
  const body = bodyOf(input)
  const [repaired, ending] = /** @type {unknown[]} */ ([result].flat())
  // These functions only detect a mistake, or complete a part.
  if (body === undefined || fn === 'contains_broken_string_literal') return undefined
  if (fn === 'make_valid_python' && exc === null && ending !== '') return undefined
  if (exc === null && typeof repaired !== 'string') return undefined
  const expected = exc === null ? readKeywords(bodyOf(String(repaired)) ?? '') : undefined
  if (expected === NEVER) return undefined
  const keys = expected ? Object.keys(expected) : [...body.matchAll(KEYWORD)].map(([, key]) => key)
  return { text: `{${withColons(body, keys)}}`, expected }
}

/** @param {string} text one call, perhaps in a list */
function bodyOf(text) {
  return /^\[?\w+\(([^]*)\)\]?$/.exec(text)?.[1]
}

const KEYWORD = /(?:^|, ?)(\w+)=/g
/** A value that JSON cannot express. */
const NEVER = /** @type {Record<string, unknown>} */ ({})

/**
 * @param {string} body
 * @param {(string | undefined)[]} keys
 */
function withColons(body, keys) {
  let rest = body
  let text = ''
  for (const key of keys) {
    const { index = 0, 0: found = '' } = new RegExp(`(?<![\\w'"])${key}\\s*=\\s*`).exec(rest) ?? {}
    text += `${rest.slice(0, index)}'${key}': `
    rest = rest.slice(index + found.length)
  }
  return text + rest
}

/**
 * Parses valid keyword arguments. Returns undefined if they are invalid.
 *
 * @param {string} body
 * @returns {Record<string, unknown> | undefined}
 */
function readKeywords(body) {
  /** @type {Record<string, unknown>} */
  const args = {}
  let rest = body.trim()
  while (rest !== '') {
    const [whole = '', key = '', literal = ''] = ONE.exec(rest) ?? []
    if (whole === '') return rest.includes('={') || rest.includes('), ') ? NEVER : undefined
    args[key.replace('_pyreservedkw_', '')] = valueOf(literal)
    rest = rest.slice(whole.length).trim()
  }
  return args
}

/** One argument whose value is a string, a number or a word. */
const ONE = /^(\w+)\s*=\s*('(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[\w.+-]+)\s*(?:,|$)/

/** @param {string} literal */
function valueOf(literal) {
  const words = new Map([
    ['True', true],
    ['False', false],
    ['None', null],
  ])
  if (words.has(literal)) return words.get(literal)
  if (!/^['"]/.test(literal)) return Number(literal)
  return literal
    .slice(1, -1)
    .replaceAll(/\\(x[0-9a-f]{2}|[^])/g, (whole, /** @type {string} */ escaped) => {
      if (escaped.startsWith('x') && escaped.length === 3)
        return String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      return ESCAPES.get(escaped) ?? whole
    })
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])
