import type { Trust } from './call.ts'

/** Why the arguments may be read in two ways, so that the call does not run; undefined: they may not. */
export function ambiguity(trust: Trust | undefined): string | undefined {
  const found = trust?.repairs?.find((repair) => AMBIGUOUS.has(repair))
  return found && `Its arguments can be read in two ways (${found}): write them once, and exactly.`
}

/** A key that stands twice, a number that no machine keeps exactly. */
const AMBIGUOUS = new Set(['duplicate-key', 'number-out-of-range'])

/** Why it is not sure that the model meant this call as it was read; undefined: it is sure. */
export function doubtAbout(trust: Trust | undefined): string | undefined {
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
