import type { Writers } from './print/print.ts'
import type { PrintableCall } from './protocol.ts'
import type { CallBuilder } from './read/call-builder.ts'
import type { Lookahead } from './read/lookahead.ts'
import type { Input, Reader } from './read/input.ts'
import type { Marks } from './read/marks.ts'
import type { Wire } from './wire.ts'

/** A variable part of a picture. The set of holes is closed; each is a file in `holes/` that reads and prints it. */
export interface Hole {
  /** The marks it may begin with, given the tools' names if they are known. If missing, it may begin with anything. */
  starts?(names: readonly string[] | undefined, call: Wire): readonly string[]
  /** The marks around values that are not escaped: a value that contains one of these may end there. */
  around?(names: readonly string[]): readonly string[]
  /** The tool's output goes here. */
  readonly isOutput?: true
  /** It shows whether the tool failed. */
  readonly showsFailure?: true
  /** It may carry the call's id. */
  readonly identifies?: true
  /** It may be empty. */
  readonly optional?: true
  /** Its beginning is as good as a mark. */
  readonly marked?: true
  /** The same, but only at the start of a reply. */
  readonly anchored?: true
  read(reading: Reading): Reader<boolean>
  /** Where it ends, if it begins at this offset, or one of the codes of `read/lookahead.ts`. If missing, only reading it can tell. */
  lookahead?(look: Lookahead, at: number): number
  print(printing: Printing): string
}

/** The state in which a hole is read. */
export interface Reading {
  readonly input: Input
  readonly builder: CallBuilder
  /** The marks that may follow it. */
  readonly stops: Marks
  /** Marks that end what surrounds it: if its own end is missing, it ends there. */
  readonly outer: Marks | undefined
  /** The whitespace that the picture draws on either side: skipped at most once, so that a value keeps its own. */
  readonly before: string
  readonly after: string
  /** Marks that show that the picture is over, or almost over, and marks that may begin another block. */
  readonly later: Marks
  /** It comes after `=` or a quote, so it may contain spaces. */
  readonly attribute: boolean
  /** The beginning of another picture like the one it is in: if its own end is missing, it ends there. */
  readonly siblings: Marks | undefined
  /** Whether the model ended the reply, rather than a limit or an error. */
  readonly stopped: () => boolean
  /** Reads a picture inside this one. `next` is what may follow it, `siblings` what begins another such picture. */
  wire(wire: Wire, next: Marks, siblings: Marks): Reader<boolean>
  /** Reads the calls of a section. */
  calls(of: Wire | undefined, separator: string, stops: Marks): Reader<boolean>
}

/** The state in which a hole is printed. */
export interface Printing {
  readonly call: PrintableCall
  /** One argument, inside `each`. */
  readonly entry?: readonly [key: string, value: unknown]
  /** The text after it. */
  readonly next: string
  /** The printed calls of a section. */
  readonly calls?: string
  /** The position of this call in its turn. */
  readonly index?: number
  /** A tool's output. */
  readonly output?: Output
  readonly write: Writers
  readonly wire: (wire: Wire, entry: readonly [key: string, value: unknown]) => string
}

/** The output of a tool, as holes show it to the model. */
export interface Output {
  /** The tool failed, and its output explains why. */
  readonly failed: boolean
  text(): string
  json(): string
  /** Text with a full stop, unless it ends with punctuation of its own. */
  sentence(): string
  /** A JSON object that has these members. */
  outcome(members: Outcome): string
  /** A dictionary with these quotes: an object as it is, anything else as its `value`. */
  dictionary(quote: string): string
}

/** The members of an object that shows a tool's output, or why it failed. */
export interface Outcome {
  readonly success: string
  readonly data: string
  readonly error: string
}
