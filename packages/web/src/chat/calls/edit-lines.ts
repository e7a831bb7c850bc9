import { type DiffLine, readDiff, withChanges } from '../../ui/unified-diff.ts'

const CONTEXT = 2
/** Longer diffs are not parsed; the result still shows them. */
const MAX_DIFF = 1 << 20

/** The changes of a call, if its result or its arguments contain them. Only the result has line numbers. */
export function callChange(
  args: Readonly<Record<string, unknown>> | undefined,
  data: unknown,
): readonly DiffLine[] | undefined {
  const { diff } = (typeof data === 'object' && data !== null ? data : {}) as { diff?: unknown }
  const lines = typeof diff === 'string' && diff.length < MAX_DIFF ? readDiff(diff).lines : []
  return lines.length > 0 ? lines : args && editLines(args)
}

/** The replacement that a call makes, if its arguments contain it. */
export function editLines(
  args: Readonly<Record<string, unknown>>,
): readonly DiffLine[] | undefined {
  const { old_string: before, new_string: after } = args
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  return changedLines(before, after)
}

/** The lines that differ between two texts, with a few lines of context. */
export function changedLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before)
  const next = linesOf(after)
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const as = (type: DiffLine['type'], lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ type, text }))
  return withChanges([
    ...as('same', old.slice(Math.max(0, start - CONTEXT), start)),
    ...as('del', old.slice(start, old.length - end)),
    ...as('add', next.slice(start, next.length - end)),
    ...as('same', old.slice(old.length - end, old.length - end + CONTEXT)),
  ])
}

/** The number of lines that a call adds and removes, as far as its arguments show. */
export function countLines(
  args: Readonly<Record<string, unknown>>,
): { readonly added: number; readonly removed: number } | undefined {
  const lines = editLines(args)
  const { content } = args
  if (lines) {
    const count = (type: DiffLine['type']): number =>
      lines.filter((line) => line.type === type).length
    return { added: count('add'), removed: count('del') }
  }
  return typeof content === 'string' ? { added: linesOf(content).length, removed: 0 } : undefined
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
