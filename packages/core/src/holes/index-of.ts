import type { Hole } from '../hole.ts'
import { id } from './labels.ts'
import { toolId } from './tool-id.ts'

/** The call's id; if it has none, its position in the turn, counted from `from`. `named`: it may contain the tool's name. */
export function index({ from = 0, named }: { from?: number; named?: true } = {}): Hole {
  if (named) return toolId
  return { ...id, print: ({ call, index: at = 0 }) => call.id ?? String(at + from) }
}
