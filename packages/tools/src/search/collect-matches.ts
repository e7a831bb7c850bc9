import type { FoundLine } from '../host/search.ts'
import { cutLine } from './cut-line.ts'

/** A line that matches, and those around it that belong to no other match. */
export interface Match {
  readonly file: string
  readonly line_number: number
  readonly content: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

export interface CollectOptions {
  readonly files: readonly string[]
  /** Matches of the first file that are not wanted. */
  readonly skip: number
  readonly most: number
  /** Lines behind a match that belong to it. */
  readonly after: number
  /** Characters of all lines together, beyond which nothing more is taken. */
  readonly budget: number
}

/** Takes lines as they come and makes matches of them, until it has enough. */
export function collector({ files, skip, most, after, budget }: CollectOptions): {
  readonly matches: readonly Match[]
  readonly take: (line: FoundLine) => boolean
} {
  const matches: (Match & { after?: string[] })[] = []
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
    return matches.length >= most || characters >= budget
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
      ...(around.length > 0 ? { before: around } : {}),
    })
    characters += text.length + around.reduce((sum, each) => sum + each.length, 0)
    return after > 0 || !isFull()
  }

  function takeAfter(text: string): void {
    const last = matches.at(-1)
    // What follows a match that is not shown is not shown either.
    if (!last || last.file !== files[file] || skipped < skip) return
    last.after ??= []
    last.after.push(text)
    characters += text.length
  }
}
