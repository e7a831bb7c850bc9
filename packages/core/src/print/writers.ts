import type { Printing } from '../hole.ts'
import type { MemberPictures } from '../holes/each.ts'
import type { FieldNames } from '../holes/fields.ts'
import type { Role } from '../json/envelope.ts'
import { pythonWords } from '../python/print.ts'
import type { Dialect } from '../xml/elements.ts'
import { printElements } from '../xml/print.ts'
import { printYaml } from '../yaml/print.ts'
import { writtenElement, writtenName } from '../read/written-key.ts'
import { asText } from './as-text.ts'
import { printDictionary } from './dictionary.ts'
import { printEnvelope } from './envelope.ts'
import { printFields } from './fields.ts'
import { printKeywords } from './keywords.ts'
import { printMembers } from './members.ts'
import { spaced } from './spaced.ts'

type Arguments = Readonly<Record<string, unknown>>

/** How values are written. Holes are given this when they are printed, so that programs that only parse do not contain it. */
export interface Writers {
  /** Text as it is, anything else as JSON. */
  text(value: unknown): string
  json(value: unknown): string
  /** A tool's name, as it can be written before `next`, or as the name of an element. */
  name(name: string, next: string): string
  element(name: string): string
  /** The same, but with Python's words for true, false and null. */
  pythonWords(value: unknown): string
  /** Python's keyword arguments, with strings as in JSON or as Python's `repr` writes them. */
  keywords(args: Arguments, strings: 'json' | 'repr'): string
  yaml(args: Arguments, indent: string): string
  elements(args: Arguments, dialect: Dialect, separator: string): string
  dictionary(value: unknown, quote: string): string
  /** Each argument in a picture of its own. */
  members(printing: Printing, members: MemberPictures): string
  /** The same, with the call's name and id among them. */
  fields(printing: Printing, members: MemberPictures, names: FieldNames): string
  /** An object with the call's name and arguments under these paths. */
  envelope(
    printing: Printing,
    roles: readonly (readonly [Role, string | readonly string[]])[],
    numbered: number | undefined,
  ): string
}

export const writers: Writers = {
  text: asText,
  json: spaced,
  name: writtenName,
  element: writtenElement,
  pythonWords,
  keywords: printKeywords,
  yaml: printYaml,
  elements: printElements,
  dictionary: printDictionary,
  members: (printing, members) => printMembers(printing, members).join(members.separator),
  fields: printFields,
  envelope: printEnvelope,
}
