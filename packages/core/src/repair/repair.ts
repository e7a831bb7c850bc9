// Folder: One file per repair of a broken call.
import type { JsonScanner } from '../json/scanner.ts'
import type { Input, Reader } from '../read/input.ts'
import type { Marks } from '../read/marks.ts'

/** Where strict reading of JSON stopped. */
export interface Stop {
  readonly input: Input
  readonly json: JsonScanner
  /** The marks that end the call or begin another: no repair reads past them. */
  readonly guard: Marks
  /** The mark that ends the call, if any. */
  readonly closing: string | undefined
}

/** One way to repair text that is not quite JSON. It acts where the strict reader stops, and never inside a string. */
export interface Repair {
  readonly name: string
  /** The higher, the less likely it is what the model meant. The cheapest repair that fits is applied. */
  readonly cost: number
  /** Whether it would let the reader continue from here. Reads nothing, and looks no further than a label. */
  fits(stop: Stop): Reader<boolean>
  /** Reads what is here and hands out what it means. May return what was added or was misread. False: it does not work after all. */
  apply(stop: Stop): Reader<string | void | false>
}
