import { diffArrays } from 'diff'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import { loadFile } from '../file/load.ts'
import { toLf, textFileOf } from '../file/text-file.ts'
import { displayName } from '../file/file-path.ts'
import type { AllowedPaths, Files } from '../host/files.ts'
import { applyMatches, flatten } from './apply-matches.ts'
import { findMatches } from './find-matches.ts'

/**
 * The difference between two texts as a unified diff, with three lines of context; empty if they
 * are equal.
 */
export function unifiedDiff(before: string, after: string, path: string): string {
  const hunks = hunksOf(diffLines(split(before), split(after)))
  if (hunks.length === 0) return ''
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join('\n')
}

/** A line that is kept, removed or added. */
interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

/**
 * Split at line breaks. If the last one is missing, the last line contains diff's note about that.
 */
function split(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()!
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}

const CONTEXT = 3

function hunksOf(lines: readonly DiffLine[]): string[] {
  const hunks: string[] = []
  let oldLine = 1
  let newLine = 1
  let index = 0
  while (index < lines.length) {
    let change = index
    while (lines[change]?.sign === ' ') change++
    if (change === lines.length) break
    const start = Math.max(index, change - CONTEXT)
    oldLine += start - index
    newLine += start - index
    const end = endOfHunk(lines, change)
    const hunk = lines.slice(start, end)
    const olds = hunk.filter(({ sign }) => sign !== '+').length
    const news = hunk.filter(({ sign }) => sign !== '-').length
    hunks.push(`@@ -${rangeOf(oldLine, olds)} +${rangeOf(newLine, news)} @@`)
    for (const { sign, line } of hunk) hunks.push(sign + line)
    oldLine += olds
    newLine += news
    index = end
  }
  return hunks
}

/** An empty range starts at the line before it. */
function rangeOf(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`
}

function endOfHunk(lines: readonly DiffLine[], change: number): number {
  let last = change
  for (let at = change; at < lines.length && at - last <= CONTEXT * 2; at++)
    if (lines[at]!.sign !== ' ') last = at
  return Math.min(lines.length, last + 1 + CONTEXT)
}

function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const max = Math.min(before.length, after.length)
  let start = 0
  while (start < max && before[start] === after[start]) start++
  let end = 0
  while (end < max - start && before.at(-1 - end) === after.at(-1 - end)) end++

  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  // Uses arrays, because jsdiff's own line splitting takes longer than all the rest, which makes
  // its patch functions too slow here.
  const changes = diffArrays(removed, added, { maxEditLength: MAX_DIFFERENCES }) ?? [
    { removed: true, added: false, value: removed },
    { removed: false, added: true, value: added },
  ]
  return [
    ...signed(' ', before.slice(0, start)),
    ...changes.flatMap((change) =>
      signed(change.added ? '+' : change.removed ? '-' : ' ', change.value),
    ),
    ...signed(' ', before.slice(before.length - end)),
  ]
}

/**
 * With more differences, all old lines are removed and all new ones added: such a diff is not
 * readable anyway.
 */
const MAX_DIFFERENCES = 400

function signed(sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] {
  return lines.map((line) => ({ sign, line }))
}

/**
 * The unified diff that a call of Write or Edit would make. Undefined if it is unknown, for example
 * because the file is not text. Changes nothing.
 */
export async function previewChange(
  { files, fileSystem }: { readonly files: Files; readonly fileSystem: FileSystemView },
  args: Readonly<Record<string, unknown>>,
  reach: AllowedPaths = {},
): Promise<string | undefined> {
  const { file_path: named, content, old_string: old, new_string: replacement } = args
  // Uses the file that was checked, even if the working directory has changed.
  const path = reach.paths?.length === 1 ? reach.paths[0] : named
  if (typeof path !== 'string') return undefined
  try {
    const loaded = await loadFile(files, path, reach)
    const before = loaded ? toLf(textFileOf(loaded).text) : ''
    const after =
      typeof content === 'string'
        ? toLf(content)
        : typeof old === 'string' && typeof replacement === 'string'
          ? edited(before, toLf(old), toLf(replacement), args['replace_all'])
          : undefined
    return after === undefined
      ? undefined
      : unifiedDiff(before, after, displayName(path, fileSystem))
  } catch (error) {
    // The file cannot be read or is too large: the tool itself will report that.
    if (error instanceof ToolError) return undefined
    throw error
  }
}

function edited(text: string, old: string, replacement: string, all: unknown): string | undefined {
  if (old === '') return text === '' ? replacement : undefined
  const { matches } = findMatches(text, { old, replacement }, all === true)
  if (matches.length === 0 || (matches.length > 1 && all !== true)) return undefined
  return applyMatches(text, flatten(text), matches)
}
