import type { Hole } from '../hole.ts'
import { readEnvelope, type Role } from '../json/envelope.ts'
import { lookAheadAtObject } from '../json/arguments.ts'

/**
 * The members of a JSON object that contain a call, in the order in which they are printed. A dot
 * descends into an object. Of several paths, the first is printed.
 */
export interface JsonMembers {
  readonly id?: string | readonly string[]
  readonly name: string | readonly string[]
  readonly args: string | readonly string[]
  readonly reasoning?: string | readonly string[]
  /** The arguments may also be a string of JSON. */
  readonly encoded?: true
  /** The first number for calls without an id, which are numbered by their position in the turn. */
  readonly numbered?: number
}

/** A JSON object with the name and the arguments in these members. */
export function json(members: JsonMembers): Hole {
  const { encoded = false, numbered, ...carry } = members
  const entries = Object.entries(carry) as [Role, string | readonly string[]][]
  const roles = new Map(
    entries.flatMap(([role, paths]) => [paths].flat().map((path) => [path, role])),
  )
  const envelope = { roles, encoded }
  return {
    starts: () => ['{'],
    ...(members.id !== undefined && { identifies: true }),
    // In a list, each object is read on its own.
    read: ({ input, builder, stops, outer }) =>
      readEnvelope(input, builder, envelope, !stops.empty && !outer),
    lookahead: lookAheadAtObject,
    print: (printing) => printing.write.envelope(printing, entries, numbered),
  }
}
