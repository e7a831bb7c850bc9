import type { FoundLine } from '../host/search.ts'
import { cutLine } from './cut-line.ts'

/** A matching line, and the lines around it that belong to no other match. */
export interface GrepMatch {
  readonly file: string
  readonly line_number: number
  readonly content: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** Which of the lines that a search finds are collected. */
export interface CollectOptions {
  readonly files: readonly string[]
  /** Number of matches in the first file to skip. */
  readonly skip: number
  /** Maximum number of matches. */
  readonly max: number
  /** Number of lines after a match that belong to it. */
  readonly after: number
  /** Total number of characters after which no further match is collected. */
  readonly budget: number
}

/** Groups lines into matches as they arrive. `take` returns whether more lines are wanted. */
export function createMatchCollector({ files, skip, max, after, budget }: CollectOptions): {
  readonly matches: readonly GrepMatch[]
  readonly take: (line: FoundLine) => boolean
} {
  const matches: (GrepMatch & { after?: string[] })[] = []
  let skipped = 0
  let file = -1
  let lastMatch = -Infinity
  let before: string[] = []
  let characters = 0

  return {
    matches,
    take: (line) => {
      if (line.file !== file) {
        if (isFull()) return false
        file = line.file
        lastMatch = -Infinity
        before = []
      }
      const text = cutLine(line.text)
      if (line.matches) return takeMatch(line, text)
      if (line.number - lastMatch <= after) takeAfter(text)
      else before.push(text)
      return true
    },
  }

  function isFull(): boolean {
    return matches.length >= max || characters >= budget
  }

  function takeMatch({ number }: FoundLine, text: string): boolean {
    lastMatch = number
    const around = before
    before = []
    if (skipped < skip) {
      skipped++
      return true
    }
    if (isFull()) return false
    matches.push({
      file: files[file]!,
      line_number: number,
      content: text,
      ...(around.length > 0 && { before: around }),
    })
    characters += text.length + around.reduce((sum, each) => sum + each.length, 0)
    return after > 0 || !isFull()
  }

  function takeAfter(text: string): void {
    const last = matches.at(-1)
    // Lines after a skipped match are skipped too.
    if (!last || last.file !== files[file] || skipped < skip) return
    last.after ??= []
    last.after.push(text)
    characters += text.length
  }
}

/** The part of a list of matches that is shown: the files it covers, and where it starts in the first. */
export interface MatchWindow {
  readonly files: readonly string[]
  /** Number of matches in the first file before the window. */
  readonly skip: number
}

/** Finds the files that contain up to `max` matches from `offset` on. */
export function windowOf(
  counts: readonly (readonly [name: string, matches: number])[],
  offset: number,
  max: number,
): MatchWindow {
  const files: string[] = []
  let skip = 0
  let before = 0
  for (const [name, matches] of counts) {
    if (before >= offset + max) break
    if (before + matches > offset) {
      if (files.length === 0) skip = offset - before
      files.push(name)
    }
    before += matches
  }
  return { files, skip }
}
