import type { JsonScanner } from '../json/scanner.ts'
import type { Input, Reader } from '../read/input.ts'
import type { Marks } from '../read/marks.ts'

/** Where strict reading of JSON stopped. */
export interface Stop {
  readonly input: Input
  readonly json: JsonScanner
  /** What ends the call, or begins another: no repair reads over it. */
  readonly guard: Marks
  /** The mark that ends the call, if one does. */
  readonly closing: string | undefined
}

/** One liberty taken with text that is not quite JSON. It acts where the strict reader stops, and never inside a string. */
export interface Repair {
  readonly name: string
  /** The higher, the less likely that it is what was meant. The cheapest that fits is taken. */
  readonly cost: number
  /** Whether it would let the reader go on from here. Takes nothing; looks no further than a label. */
  fits(stop: Stop): Reader<boolean>
  /** Take it: read what stands here, hand out what it means. False: it cannot be done after all. */
  apply(stop: Stop): Reader<void | false>
}
