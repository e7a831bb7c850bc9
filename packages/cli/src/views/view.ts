import type { Finish, ParserOptions } from '@toolglot/core'
import type { Source } from '../input/source.ts'
import type { Terminal } from '../terminal.ts'

/** How to read and show a reply. */
export interface ViewOptions {
  readonly options: ParserOptions
  readonly finish?: Finish
  readonly json: boolean
}

/** Reads a reply and shows it in one way. */
export type View = (source: Source, reading: ViewOptions, terminal: Terminal) => Promise<void>
