import { type Call, duplicateKeyIn } from '@toolglot/core'

/**
 * The problem with JSON that contains a key twice in the same object, at any depth, or undefined if
 * there is none. Such arguments are rejected, because the permission check and the tool might each
 * use a different one of the two values.
 */
export function duplicateKeyProblem(json: string): string | undefined {
  const key = duplicateKeyIn(json)
  return key === undefined ? undefined : problemWith(`The key ${JSON.stringify(key.slice(0, 80))}`)
}

/**
 * Like `duplicateKeyProblem`, for a parsed call, which may not have been JSON. Includes keys
 * dropped by the parser.
 */
export function duplicateKeyProblemIn({ repairs, raw, protocol }: Call): string | undefined {
  const isDuplicate = repairs.includes('duplicate-key')
  if (!isDuplicate && protocol !== 'native') return undefined
  return tryJson(raw) ?? (isDuplicate ? problemWith('A key') : undefined)
}

function tryJson(text: string): string | undefined {
  try {
    return duplicateKeyProblem(text)
  } catch {
    return undefined // The text is not valid JSON, so it was repaired.
  }
}

function problemWith(key: string): string {
  return `${key} appears twice in its arguments, so they are ambiguous. Write it once.`
}
