/** The visible range of a piece, in pixels from its top, and the size of the whole piece. */
export interface Sight {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly height: number
}

/** Tracks which parts of a card have been in view. */
interface SeenPieces<Piece extends object> {
  /** Records the visible range of a piece. It is empty if `to` is not larger than `from`. */
  see(piece: Piece, sight: Sight): void
  /** The first piece that has not been seen completely, and the start of its unseen part. */
  unseen(pieces: readonly Piece[]): { readonly piece: Piece; readonly at: number } | undefined
}

interface Seen {
  readonly width: number
  readonly height: number
  /** Sorted and disjoint. */
  readonly ranges: readonly Range[]
}

type Range = readonly [from: number, to: number]

/** Smaller gaps are caused by borders and rounding. */
const TOLERANCE = 4

/** Creates an empty record of seen parts. */
export function createSeenPieces<Piece extends object>(): SeenPieces<Piece> {
  const all = new WeakMap<Piece, Seen>()
  return {
    see(piece, { from, to, width, height }) {
      const before = all.get(piece)
      // Content may grow at its end. At another width, or with less content, the layout differs.
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
