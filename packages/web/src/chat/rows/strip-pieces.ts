import { callState, type Part, type TurnItem } from '@toolglot/react/view'
import type { StripKind } from '../../ui/strip.tsx'

/** A piece of a reading strip: its kind and its length. */
export type StripPiece = readonly [StripKind, number]

const MAX_PIECES = 24

/** The pieces of a reply, to scale. Neighbors are merged if there are too many to see. */
export function stripPieces({ parts }: Pick<TurnItem, 'parts'>): readonly StripPiece[] {
  let total = 0
  for (const part of parts) total += lengthOf(part)
  // Shorter pieces are merged with a neighbor.
  const smallest = parts.length > MAX_PIECES ? total / MAX_PIECES : 0
  const pieces: [StripKind, number][] = []
  let last: [StripKind, number] | undefined
  /** The longest part of the last piece determines its color. */
  let longest = 0
  for (const part of parts) {
    const length = lengthOf(part)
    if (length === 0) continue
    if (last && last[1] < smallest) {
      if (length > longest) last[0] = kindOf(part)
      last[1] += length
      longest = Math.max(longest, length)
    } else {
      pieces.push((last = [kindOf(part), length]))
      longest = length
    }
  }
  return pieces
}

function lengthOf(part: Part): number {
  switch (part.type) {
    case 'text':
      return part.text.length < 100 && part.text.trim() === '' ? 0 : part.text.length
    case 'reasoning':
    case 'made-up':
      return part.text.length
    case 'malformed':
      return part.raw.length
    case 'call':
      return Math.max(1, part.call?.raw.length ?? part.written.length)
  }
}

function kindOf(part: Part): StripKind {
  if (part.type === 'call') return callState(part) === 'asking' ? 'waiting' : 'call'
  return part.type
}
