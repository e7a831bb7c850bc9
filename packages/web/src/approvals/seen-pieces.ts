/** The part of a piece that is in sight now, in pixels from its top, and how large the whole piece is. */
export interface Sight {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly height: number
}

/** Knows which parts of something have been in sight. */
interface SeenPieces<Piece extends object> {
  /** Says what of a piece is in sight. Nothing is, if `to` is not larger than `from`. */
  see(piece: Piece, sight: Sight): void
  /** The first of these pieces that has not been seen whole, and where it begins to be unseen. */
  unseen(pieces: readonly Piece[]): { readonly piece: Piece; readonly at: number } | undefined
}

interface Seen {
  readonly width: number
  readonly height: number
  /** In order, without touching each other. */
  readonly ranges: readonly Range[]
}

type Range = readonly [from: number, to: number]

/** Smaller gaps are borders and rounding. */
const TOLERANCE = 4

/** Begins to remember what has been in sight. */
export function createSeenPieces<Piece extends object>(): SeenPieces<Piece> {
  const all = new WeakMap<Piece, Seen>()
  return {
    see(piece, { from, to, width, height }) {
      const before = all.get(piece)
      // Content grows at its end. With another width, or less content, it looks different.
      const isSame =
        before && Math.abs(before.width - width) <= 1 && height >= before.height - TOLERANCE
      const ranges = isSame ? before.ranges : []
      all.set(piece, { width, height, ranges: to > from ? withRange(ranges, [from, to]) : ranges })
    },
    unseen(pieces) {
      for (const piece of pieces) {
        const { ranges = [], height = Infinity } = all.get(piece) ?? {}
        const [first] = ranges
        const at = first && first[0] <= TOLERANCE ? first[1] : 0
        if (at < height - TOLERANCE) return { piece, at }
      }
      return undefined
    },
  }
}

function withRange(ranges: readonly Range[], added: Range): readonly Range[] {
  const result: Range[] = []
  for (const range of [...ranges, added].sort(([one], [other]) => one - other)) {
    const last = result.at(-1)
    if (last && range[0] <= last[1] + TOLERANCE)
      result[result.length - 1] = [last[0], Math.max(last[1], range[1])]
    else result.push(range)
  }
  return result
}
