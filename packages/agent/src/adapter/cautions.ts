import type { Call } from '@toolglot/core'

type Caution = (typeof CAUTIONS)[number]

/** The properties of a call that make it less certain than a plainly written one. */
export function cautionsOf(call: Call): readonly Caution[] {
  return CAUTIONS.filter((each) => call[each])
}

/** Whether a call may be an example, a quotation or a thought. */
export function hasWeakTrust(call: Call): boolean {
  return cautionsOf(call).some((each) => each !== 'afterMalformed')
}

const CAUTIONS = [
  'inReasoning',
  'fenced',
  'markerless',
  'afterMalformed',
  'afterResult',
  'otherProtocol',
] as const
