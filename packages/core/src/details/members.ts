import { changesIn } from './changes.ts'
import type { Found, Frame } from './frame.ts'
import { memberIn } from './keys.ts'
import type { Note } from './note.ts'
import { fact } from './text.ts'

/** Where arguments that were read in any way differ from what was made of them. Nothing was made: where they are. */
export function changedMembers(
  frame: Frame,
  { from, to, before, after }: Extract<Note, { kind: 'members' }>,
): readonly Found[] {
  const { text } = frame
  const start = Math.max(from, 0)
  let next = start
  return Object.entries(before).flatMap(([key, value]) => {
    // They are in the order of the text, but for keys that are numbers.
    const member =
      memberIn(frame, key, value, next, to) ??
      (next > start ? memberIn(frame, key, value, start, to) : undefined)
    if (!member) return []
    next = member.value.to
    if (!after) return [fact(text, member.value.from, member.value.to)]
    if (!Object.hasOwn(after, key)) return [{ ...member.key, became: '' }]
    return after[key] === value
      ? []
      : changesIn(text, member.value.from, member.value.to, after[key])
  })
}
