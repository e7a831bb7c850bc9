import type { Finish, ParserOptions } from '@toolglot/core'
import type { Source } from '../input/source.ts'
import type { Terminal } from '../terminal.ts'

/** How a reply is to be read and shown. */
export interface Reading {
  readonly options: ParserOptions
  readonly finish?: Finish
  readonly json: boolean
}

/** Reads a reply and shows one side of it. */
export type View = (source: Source, reading: Reading, terminal: Terminal) => Promise<void>
