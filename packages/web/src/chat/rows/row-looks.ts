import { callLook } from './call-look.ts'
import type { Row } from './rows.ts'

/** The estimated height of a row in pixels, before it is drawn. */
export function estimateHeight(row: Row): number {
  switch (row.type) {
    case 'turn':
      return 40
    case 'text':
      return 31 + 23 * Math.floor(row.block.text.length / 90)
    case 'ask':
      return 320
    case 'call':
      return callLook(row.part).isOpen ? 180 : 48
    case 'group':
      return row.isUnfolded ? 35 : 48
    case 'grouped':
      return row.isLast ? 41 : 29
    case 'prompt':
    case 'reasoning':
    case 'malformed':
    case 'made-up':
    case 'notice':
    case 'end':
      return 48
  }
}

/** True if a row is unfolded, given the user's choice; undefined if it cannot be folded. */
export function isUnfolded(row: Row, chosen: boolean | undefined): boolean | undefined {
  switch (row.type) {
    case 'call':
      return chosen ?? callLook(row.part).isOpen
    case 'reasoning':
      return chosen ?? row.isOpen
    case 'group':
    case 'grouped':
    case 'malformed':
    case 'made-up':
      return chosen ?? false
    case 'prompt':
    case 'turn':
    case 'text':
    case 'ask':
    case 'notice':
    case 'end':
      return undefined
  }
}

/** The gap between a row and the next: `joined` has none, `close` a small one. */
export function rowGap(row: Row): 'joined' | 'close' | '' {
  if (row.type === 'group') return row.isUnfolded ? 'joined' : ''
  if (row.type === 'grouped') return row.isLast ? '' : 'joined'
  return row.type === 'text' ? 'close' : ''
}
