import type { Hole } from '../hole.ts'
import { type EnvelopeMembers, readEnvelope } from '../json/envelope.ts'
import { spaced } from '../print/spaced.ts'

/** Where a JSON object carries a call. Dots descend; of several, the first is printed. They are printed in this order. */
export interface JsonMembers {
  readonly id?: string
  readonly name: string
  readonly args: string | readonly string[]
  readonly reasoning?: string
  /** The arguments may also be JSON in a string. */
  readonly encoded?: true
  /** A call without an id is printed with its place in the turn, counted from here. */
  readonly numbered?: number
}

/** A JSON object that carries the name and the arguments under these members. */
export function json(members: JsonMembers): Hole {
  const { name, id, reasoning, encoded = false } = members
  const paths: EnvelopeMembers = {
    name,
    args: [members.args].flat(),
    encoded,
    ...(id !== undefined && { id }),
    ...(reasoning !== undefined && { reasoning }),
  }
  return {
    starts: () => ['{'],
    ...(id !== undefined && { identifies: true }),
    *read({ input, draft }) {
      return yield* readEnvelope(input, draft, paths)
    },
    print: ({ call, index = 0 }) => {
      const envelope: Record<string, unknown> = {}
      const { numbered } = members
      const whole = numbered === undefined ? call : { id: String(index + numbered), ...call }
      for (const member of Object.keys(members) as (keyof JsonMembers)[]) {
        if (member === 'encoded' || member === 'numbered' || whole[member] === undefined) continue
        put(envelope, [members[member]].flat()[0] as string, whole[member])
      }
      return spaced(envelope)
    },
  }
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const dot = path.indexOf('.')
  if (dot < 0) target[path] = value
  else
    put((target[path.slice(0, dot)] ??= {}) as Record<string, unknown>, path.slice(dot + 1), value)
}
