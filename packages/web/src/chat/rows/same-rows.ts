import type { Row } from './rows.ts'

/** The rows, each as the object that it was before if it says the same: what has not changed is not drawn again. */
export function sameRows(before: readonly Row[] | undefined, rows: readonly Row[]): readonly Row[] {
  if (!before) return rows
  return rows.map((row, at) => (isSame(before[at], row) ? before[at] : row))
}

function isSame(before: Row | undefined, row: Row): before is Row {
  if (before?.key !== row.key || before.type !== row.type) return false
  // There may be thousands of texts in a reply.
  if (row.type === 'text' && before.type === 'text')
    return before.block === row.block && before.isOpen === row.isOpen
  const old = before as unknown as Record<string, unknown>
  return Object.entries(row).every(
    ([name, value]) => old[name] === value || isSameList(old[name], value),
  )
}

function isSameList(before: unknown, list: unknown): boolean {
  return (
    Array.isArray(before) &&
    Array.isArray(list) &&
    before.length === list.length &&
    list.every((each, at) => each === before[at])
  )
}
