import { type Call, duplicateKeyIn } from '@toolglot/core'

/**
 * The problem with JSON that has a key twice in one object, at any depth; undefined if there is none. The permission check
 * and the tool might each use another of the two values, so such arguments are rejected.
 */
export function duplicateKeyProblem(json: string): string | undefined {
  const key = duplicateKeyIn(json)
  return key === undefined ? undefined : problemWith(`The key ${JSON.stringify(key.slice(0, 80))}`)
}

/** The same problem in a parsed call, which may not have been JSON. Keys that the parser dropped also count. */
export function duplicateKeyProblemIn({ repairs, raw, protocol }: Call): string | undefined {
  const isDuplicate = repairs.includes('duplicate-key')
  if (!isDuplicate && protocol !== 'native') return undefined
  return tryJson(raw) ?? (isDuplicate ? problemWith('A key') : undefined)
}

function tryJson(text: string): string | undefined {
  try {
    return duplicateKeyProblem(text)
  } catch {
    return undefined // Not valid JSON: it was repaired.
  }
}

function problemWith(key: string): string {
  return `${key} appears twice in its arguments, so they are ambiguous. Write it once.`
}
