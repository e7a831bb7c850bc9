import type { Call } from '@toolglot/core'

/** What makes a call less certain than one that was plainly written. */
export function doubtsAbout(call: Call): readonly (typeof DOUBTS)[number][] {
  return DOUBTS.filter((each) => call[each])
}

const DOUBTS = [
  'inReasoning',
  'fenced',
  'markerless',
  'afterMalformed',
  'afterResult',
  'otherProtocol',
] as const
