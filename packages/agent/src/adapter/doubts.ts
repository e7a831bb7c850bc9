import type { Call } from '@toolglot/core'

type Doubt = (typeof DOUBTS)[number]

/** What makes a call less certain than one that was plainly written. */
export function doubtsAbout(call: Call): readonly Doubt[] {
  return DOUBTS.filter((each) => call[each])
}

/** Whether a call may be an example, a quotation or a thought. */
export function hasWeakTrust(call: Call): boolean {
  return doubtsAbout(call).some((each) => each !== 'afterMalformed')
}

const DOUBTS = [
  'inReasoning',
  'fenced',
  'markerless',
  'afterMalformed',
  'afterResult',
  'otherProtocol',
] as const
