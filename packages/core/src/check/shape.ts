/** Why a value is no protocol; undefined: it is one, as far as its shape tells. */
export function protocolProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not an object'
  const given = value as Partial<Record<string, unknown>>
  for (const [key, expected, test] of PARTS) {
    if (!test(given[key])) return `expected ${key} to be ${expected}`
  }
  return undefined
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isWire = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isPart)
const isPart = (value: unknown): boolean =>
  isText(value) || (typeof value === 'object' && value !== null)

const PARTS: readonly [key: string, expected: string, test: (value: unknown) => boolean][] = [
  [
    'id',
    'a name of small letters, digits, dots and dashes',
    (value) => isText(value) && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value as string),
  ],
  ['about', 'a text', isText],
  ['call', 'a picture: wire`…`', isWire],
  ['result', 'a picture: wire`…`', isWire],
  ['prompt', 'a function', (value) => typeof value === 'function'],
]
