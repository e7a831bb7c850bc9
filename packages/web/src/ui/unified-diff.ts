/** A line of a diff, with its numbers in the old and the new text. */
export interface DiffLine {
  readonly type: 'same' | 'add' | 'del' | 'gap' | 'note'
  readonly old?: number
  readonly new?: number
  readonly text: string
  /** The range that differs from the line on the other side. */
  readonly changed?: readonly [number, number]
}

/** A parsed unified diff of one file. */
export interface Diff {
  /** The file name in the diff. */
  readonly path: string
  /** The file did not exist before. */
  readonly isNew: boolean
  readonly added: number
  readonly removed: number
  readonly lines: readonly DiffLine[]
}

const TYPES = { '+': 'add', '-': 'del', ' ': 'same' } as const

/** Parses a unified diff. Any other text has no lines. */
export function readDiff(text: string): Diff {
  const lines: DiffLine[] = []
  let path = ''
  let old = 0
  let next = 0
  let isNew = false
  let hasHunk = false
  for (const line of text.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk) {
      if (hasHunk) lines.push({ type: 'gap', text: '' })
      else isNew = hunk[1] === '0' && hunk[2] === '0'
      hasHunk = true
      old = Number(hunk[1])
      next = Number(hunk[3])
    } else if (!hasHunk) {
      if (line.startsWith('+++ ')) path = line.slice(4)
    } else if (line.startsWith('\\')) lines.push({ type: 'note', text: line.slice(2) })
    else if (line !== '') {
      const type = TYPES[line[0] as keyof typeof TYPES]
      if (!type) continue
      lines.push({
        type,
        text: line.slice(1),
        old: type !== 'add' ? old++ : undefined,
        new: type !== 'del' ? next++ : undefined,
      })
    }
  }
  return {
    path,
    isNew,
    added: count(lines, 'add'),
    removed: count(lines, 'del'),
    lines: withChanges(lines),
  }
}

function count(lines: readonly DiffLine[], type: DiffLine['type']): number {
  return lines.filter((line) => line.type === type).length
}

/** Compares removed lines with the added lines right after them, one by one. */
export function withChanges(lines: readonly DiffLine[]): DiffLine[] {
  const result = [...lines]
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.type !== 'del') continue
    const from = at
    while (lines[at]?.type === 'del') at++
    const to = at
    while (lines[at]?.type === 'add') at++
    const pairs = Math.min(to - from, at - to)
    for (let pair = 0; pair < pairs; pair++) {
      const changed = differenceOf(lines[from + pair]!.text, lines[to + pair]!.text)
      if (!changed) continue
      result[from + pair] = { ...lines[from + pair]!, changed: changed[0] }
      result[to + pair] = { ...lines[to + pair]!, changed: changed[1] }
    }
  }
  return result
}

type Range = readonly [number, number]

/** The ranges in which two lines differ; undefined if they have little in common. */
function differenceOf(one: string, other: string): readonly [Range, Range] | undefined {
  const max = Math.min(one.length, other.length)
  let start = 0
  while (start < max && one[start] === other[start]) start++
  let end = 0
  while (end < max - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const isAlike = one.slice(0, start).trim().length + end >= max / 3 && max > 0
  return isAlike
    ? [
        [start, one.length - end],
        [start, other.length - end],
      ]
    : undefined
}
