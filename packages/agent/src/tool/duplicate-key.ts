import { type Call, duplicateKeyIn } from '@toolglot/core'

/**
 * What is wrong with JSON that has a key twice in one object, at any depth; undefined: nothing. Whoever decides on such
 * arguments and whoever uses them may take another of the two, so they are not read at all.
 */
export function duplicateKeyProblem(json: string): string | undefined {
  const key = duplicateKeyIn(json)
  return key === undefined ? undefined : problemWith(`The key ${JSON.stringify(key.slice(0, 80))}`)
}

/** The same of a call that was read, which need not have been JSON. What is left out of one counts, too. */
export function duplicateKeyProblemIn({ repairs, raw, protocol }: Call): string | undefined {
  const isDoubled = repairs.includes('duplicate-key')
  if (!isDoubled && protocol !== 'native') return undefined
  return inSome(raw) ?? (isDoubled ? problemWith('A key') : undefined)
}

function inSome(text: string): string | undefined {
  try {
    return duplicateKeyProblem(text)
  } catch {
    return undefined // It was mended before it was JSON.
  }
}

function problemWith(key: string): string {
  return `${key} appears twice in its arguments, so they can be read in two ways: write it once.`
}
