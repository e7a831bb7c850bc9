import type { DecisionPart, Verdict } from '@toolglot/permissions'

/** A judged part, with the indexes of all parts that read the same. */
export interface PartRow {
  readonly part: DecisionPart
  readonly places: readonly number[]
}

/** Whether a part has text that the command lacks, such as the files that match a pattern. */
export function addsText({ what }: DecisionPart, command: string | undefined): boolean {
  return !command?.includes(what)
}

/** How many rows are drawn at once. */
export const ROWS = 40

const ORDER: readonly Verdict[] = ['deny', 'ask', 'allow']

/** The parts of a decision as rows to read: what somebody decides on comes first, and what would read the same once. */
export function rowsOf(parts: readonly DecisionPart[]): readonly PartRow[] {
  const rows = new Map<string, { readonly part: DecisionPart; readonly places: number[] }>()
  for (const [at, part] of parts.entries()) {
    const { what, verdict, why, rule, subject } = part
    const key = JSON.stringify([what, verdict, why, rule?.text, rule?.source, !subject])
    const row = rows.get(key)
    if (row) row.places.push(at)
    else rows.set(key, { part, places: [at] })
  }
  return [...rows.values()].sort(
    (one, other) => ORDER.indexOf(one.part.verdict) - ORDER.indexOf(other.part.verdict),
  )
}
