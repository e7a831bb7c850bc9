import type { Trust } from './call.ts'

/** Why it is not sure that the model meant this call as it was read; undefined: it is sure. */
export function weakness(trust: Trust | undefined): string | undefined {
  if (!trust) return undefined
  const repairs = (trust.repairs ?? []).filter((repair) => !HARMLESS.has(repair))
  if (repairs.length > 0) return `it was repaired (${repairs.join(', ')})`
  for (const [fact, why] of FACTS) if (trust[fact]) return why
  return undefined
}

/** The value was closed and the reply stopped by itself; a type was changed as the tool's schema says. */
const HARMLESS = new Set(['missing-closer', 'coerced'])

const FACTS: readonly [keyof Trust, string][] = [
  ['inReasoning', 'it stood in reasoning that never closed'],
  ['fenced', 'it stood in a code fence'],
  ['markerless', 'it had no marks of a call'],
  ['afterMalformed', 'it began inside a block that could not be read'],
  ['afterResult', 'it followed a result that the model made up'],
  ['echoes', 'it repeats what an untrusted result said'],
]
