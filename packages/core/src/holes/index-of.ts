import type { Hole } from '../hole.ts'
import { id } from './labels.ts'

/** The call's id; if it has none, its position in the turn, counted from `from`. */
export function index({ from = 0 }: { from?: number } = {}): Hole {
  return { ...id, print: ({ call, index: at = 0 }) => call.id ?? String(at + from) }
}
