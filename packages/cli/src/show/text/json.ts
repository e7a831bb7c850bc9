import { quote } from '@toolglot/workspace/internal'

/**
 * JSON of any value, however deeply nested. Characters that a terminal would interpret or hide are
 * escaped.
 */
export function toJson(value: unknown, { indent = 0 }: { indent?: number } = {}): string {
  return escapeUnprintable(stringify(value, indent))
}

function stringify(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    // The value is nested too deeply for recursion, or contains a bigint.
    return writeDeep(value)
  }
}

/** Produces the same output as JSON.stringify, without recursion. */
function writeDeep(root: unknown): string {
  const parts: string[] = []
  const waiting: ({ text: string } | { value: unknown })[] = [{ value: root }]

  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('text' in next) {
      parts.push(next.text)
      continue
    }
    const { value } = next
    if (typeof value !== 'object' || value === null) {
      parts.push(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null'))
      continue
    }
    const isList = Array.isArray(value)
    parts.push(isList ? '[' : '{')
    waiting.push({ text: isList ? ']' : '}' })
    for (const [index, [key, item]] of [...Object.entries(value).entries()].reverse()) {
      waiting.push({ value: item })
      const name = isList ? '' : `${JSON.stringify(key)}:`
      waiting.push({ text: index > 0 ? `,${name}` : name })
    }
  }
  return parts.join('')
}

/** These characters occur only inside JSON strings, where an escape has the same meaning. */
function escapeUnprintable(json: string): string {
  return json.replace(
    /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, unit) => {
        const digits = character.charCodeAt(unit).toString(16)
        return `\\u${digits.padStart(4, '0')}`
      }).join(''),
  )
}

/** Describes a value for an error message, such as `the text 'a'`. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return `an object with ${keysOf(value)}`
  if (typeof value === 'string') return value === '' ? 'empty text' : `the text ${quote(value)}`
  return `the ${typeof value} ${JSON.stringify(value)}`
}

function keysOf(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'no keys'
  const shown = keys.slice(0, 4).map(quote)
  return `the keys ${shown.join(', ')}${keys.length > 4 ? ', …' : ''}`
}
