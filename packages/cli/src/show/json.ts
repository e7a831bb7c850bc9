/**
 * JSON of any value, however deep, with every character that a terminal could obey or hide escaped.
 */
export function toJson(value: unknown, { indent = 0 }: { indent?: number } = {}): string {
  return escapeUnseen(stringify(value, indent))
}

function stringify(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    // Too deep for its recursion, or a bigint.
    return writeDeep(value)
  }
}

/** What JSON.stringify writes, without recursion. */
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

/** These stand only inside JSON's strings, where an escape means the same. */
function escapeUnseen(json: string): string {
  return json.replace(
    /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, unit) => {
        const digits = character.charCodeAt(unit).toString(16)
        return `\\u${digits.padStart(4, '0')}`
      }).join(''),
  )
}
