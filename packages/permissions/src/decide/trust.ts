import type { Trust } from './call.ts'

/** Why the arguments are ambiguous, so that the call doesn't run; undefined if they aren't. */
export function ambiguity(trust: Trust | undefined): string | undefined {
  const found = trust?.repairs?.find((repair) => AMBIGUOUS.has(repair))
  return (
    found && `The arguments are ambiguous (${found}). Write each of them once, with an exact value.`
  )
}

/** A key that occurs twice; a number that can't be represented exactly. */
const AMBIGUOUS = new Set(['duplicate-key', 'number-out-of-range'])

/** Why the model may not have intended this call as it was parsed; undefined if nothing suggests that. */
export function cautionAbout(trust: Trust | undefined): string | undefined {
  if (!trust) return undefined
  const repairs = (trust.repairs ?? []).filter((repair) => !HARMLESS.has(repair))
  if (repairs.length > 0) return `it was repaired (${repairs.join(', ')})`
  for (const [fact, why] of FACTS) if (trust[fact]) return why
  return undefined
}

/** Only the end of the call was missing, and the model had stopped; or a value was converted to the type the schema expects. */
const HARMLESS = new Set(['missing-closer', 'coerced'])

/** Whether the call was written in another way than the model was told to: written properly, it needs no caution. */
export function isWrittenOtherwise({
  otherProtocol,
  markerless,
  fenced,
  echoes,
}: Pick<Trust, 'otherProtocol' | 'markerless' | 'fenced' | 'echoes'>): boolean {
  return !echoes && (otherProtocol ?? markerless ?? fenced ?? false)
}

const FACTS: readonly [keyof Trust, string][] = [
  // However it is written.
  ['echoes', 'it repeats text from an untrusted result'],
  // Fences and missing marks follow from it.
  ['otherProtocol', "it was not written in the model's protocol"],
  ['inReasoning', "it was inside the model's reasoning"],
  ['fenced', 'it was inside a code fence'],
  ['markerless', 'it had no call markers'],
  ['afterMalformed', 'it began inside a block that could not be parsed'],
  ['afterResult', 'it followed a tool result that the model made up'],
]
