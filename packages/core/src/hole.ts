import type { Writers } from './print/print.ts'
import type { PrintableCall } from './protocol.ts'
import type { CallBuilder } from './read/call-builder.ts'
import type { Lookahead } from './read/lookahead.ts'
import type { Input, Reader } from './read/input.ts'
import type { Marks } from './read/marks.ts'
import type { Wire } from './wire.ts'

/** A variable part of a picture. The set of holes is closed; each is a file in `holes/` that reads and prints it. */
export interface Hole {
  /**
   * The marks that a hole may begin with, given the tools' names if they are known. Default:
   * anything.
   */
  starts?(names: readonly string[] | undefined, call: Wire): readonly string[]
  /** The marks around unescaped values: a value that contains one of these may end there. */
  around?(names: readonly string[]): readonly string[]
  /** True for the hole of the tool's output. */
  readonly isOutput?: true
  /** True if the hole shows whether the tool failed. */
  readonly showsFailure?: true
  /** True if the hole may carry the call's id. */
  readonly identifies?: true
  /** True if the hole may be empty. */
  readonly optional?: true
  /** True if the beginning of the hole identifies a call as reliably as a mark. */
  readonly marked?: true
  /** These marks count only at the start of a reply. */
  readonly anchored?: true
  read(reading: Reading): Reader<boolean>
  /**
   * Returns where a hole that begins at this offset ends, or one of the codes of
   * `read/lookahead.ts`. Without this method, the end is found only by reading.
   */
  lookahead?(look: Lookahead, at: number): number
  print(printing: Printing): string
}

/** The state in which a hole is read. */
export interface Reading {
  readonly input: Input
  readonly builder: CallBuilder
  /** The marks that may follow the hole. */
  readonly stops: Marks
  /** The marks that end the surrounding picture. A hole without its own end ends there. */
  readonly outer: Marks | undefined
  /**
   * The whitespace that the picture draws on either side. It is skipped at most once, so that a
   * value keeps its own whitespace.
   */
  readonly before: string
  readonly after: string
  /**
   * The marks that show that the picture is almost over, and those that may begin another block.
   */
  readonly later: Marks
  /** True after `=` or a quote, where the value may contain spaces. */
  readonly attribute: boolean
  /**
   * The beginning of a sibling of the surrounding picture. A hole without its own end ends there.
   */
  readonly siblings: Marks | undefined
  /** True if the model ended the reply, rather than a limit or an error. */
  readonly stopped: () => boolean
  /**
   * Reads a picture inside this one. `next` are the marks that may follow it, `siblings` those that
   * begin another such picture.
   */
  wire(wire: Wire, next: Marks, siblings: Marks): Reader<boolean>
  /** Reads the calls of a section. */
  calls(of: Wire | undefined, separator: string, stops: Marks): Reader<boolean>
}

/** The state in which a hole is printed. */
export interface Printing {
  readonly call: PrintableCall
  /** One argument, for holes inside `each`. */
  readonly entry?: readonly [key: string, value: unknown]
  /** The text that follows the hole. */
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
  /** True if the tool failed. Its output explains why. */
  readonly failed: boolean
  text(): string
  json(): string
  /** The text as a sentence: a full stop is added unless it ends with punctuation. */
  sentence(): string
  /** A JSON object with these members. */
  outcome(members: Outcome): string
  /**
   * A dictionary in these quotes. An object is printed directly, any other output as its `value`.
   */
  dictionary(quote: string): string
}

/** The names of the members of an object that contains a tool's output or failure. */
export interface Outcome {
  readonly success: string
  readonly data: string
  readonly error: string
}
