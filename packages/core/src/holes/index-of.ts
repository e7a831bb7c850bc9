import type { Hole } from '../hole.ts'
import { id } from './labels.ts'

/** The call's id, or its place in the turn where it has none, counted from `from`. */
export function index({ from = 0 }: { from?: number } = {}): Hole {
  return { ...id, print: ({ call, index: at = 0 }) => call.id ?? String(at + from) }
}
