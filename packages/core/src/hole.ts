import type { PrintableCall } from './protocol.ts'
import type { Draft } from './read/draft.ts'
import type { Input, Reader } from './read/input.ts'
import type { Marks } from './read/marks.ts'
import type { Wire } from './wire.ts'

/** What varies in a picture. The set of holes is closed; each is a file in `holes/` that reads and prints it. */
export interface Hole {
  /** The marks it may begin with, given the tools' names as far as they are told. Undefined: it may begin with anything. */
  starts?(names: readonly string[] | undefined, call: Wire): readonly string[]
  /** What it draws around values that nothing escapes: a value that holds one of these may end there. */
  around?(names: readonly string[]): readonly string[]
  /** It is where a tool's output stands. */
  readonly isOutput?: true
  /** It may carry the call's id. */
  readonly identifies?: true
  /** It may stand for nothing at all. */
  readonly optional?: true
  /** What it begins with is as good as a mark; or as good as one at the start of a reply. */
  readonly marked?: true
  readonly anchored?: true
  read(reading: Reading): Reader<boolean>
  print(printing: Printing): string
}

/** What a hole needs to be read. */
export interface Reading {
  readonly input: Input
  readonly draft: Draft
  /** The marks that may follow it. */
  readonly stops: Marks
  /** Marks that end what is around it: where its own end is missing, it ends there. */
  readonly outer: Marks | undefined
  /** The whitespace the picture draws on either side: taken at most once, so that a value keeps its own. */
  readonly before: string
  readonly after: string
  /** Marks that show that the picture is over or nearly so, and what may begin another block. */
  readonly later: Marks
  /** It stands behind `=` or a quote, so that spaces may be part of it. */
  readonly attribute: boolean
  /** What begins another one like what it stands in: where its own end is missing, it ends there too. */
  readonly siblings: Marks | undefined
  /** The reply ended by itself. */
  readonly stopped: () => boolean
  /** Read a picture inside this one; `next` is what may follow it, `siblings` what begins another such picture. */
  wire(wire: Wire, next: Marks, siblings: Marks): Reader<boolean>
  /** Read the calls of a section. */
  calls(of: Wire | undefined, separator: string, stops: Marks): Reader<boolean>
}

/** What a hole needs to be printed. */
export interface Printing {
  readonly call: PrintableCall
  /** One argument, inside `each`. */
  readonly entry?: readonly [key: string, value: unknown]
  /** The calls of a section, printed; and which of a turn's calls this is. */
  readonly calls?: string
  readonly index?: number
  /** A tool's output. */
  readonly output?: Output
  readonly wire: (wire: Wire, entry: readonly [key: string, value: unknown]) => string
}

/** What a tool gave, to be shown to the model. */
export interface Output {
  readonly output: unknown
  /** It failed: `output` says why. */
  readonly failed: boolean
}
