import type { Mark } from '../../ui/editor/marks.ts'
import type { CheckedPicture } from './check-picture.ts'

/** What is underlined in the editor. Nothing is as long as another text is shown than the one that was checked. */
export function problemMarks(result: CheckedPicture | undefined, source: string): Mark[] {
  if (result?.source !== source) return []
  return result.problems
    .map(({ from, to, message }) => ({
      ...visible(from, to, source.length),
      className: 'draw-problem',
      attributes: { title: message },
    }))
    .sort((one, other) => one.from - other.from || other.to - one.to)
}

/** A place of no length is shown as the character beside it. */
function visible(from: number, to: number, length: number): { from: number; to: number } {
  if (to > from) return { from, to }
  return from < length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from }
}
