import { records } from './records.ts'

/** Reads what ripgrep writes of how much it found. */
export interface CountsReader {
  readonly feed: (text: string) => boolean
  end(): {
    readonly counts: readonly (readonly [name: string, lines: number])[]
    readonly binary: readonly string[]
  }
}

/** From `name NUL count newline`; names may hold newlines. */
export function readCounts(onFile?: (name: string) => void): CountsReader {
  const counts: [string, number][] = []
  let unread = ''
  return {
    feed: (text) => {
      unread += text
      let from = 0
      for (;;) {
        const name = unread.indexOf('\0', from)
        const end = name < 0 ? -1 : unread.indexOf('\n', name)
        if (end < 0) break
        const found = unread.slice(from, name)
        counts.push([found, Number(unread.slice(name + 1, end))])
        onFile?.(found)
        from = end + 1
      }
      unread = unread.slice(from)
      return true
    },
    end: () => ({ counts, binary: [] }),
  }
}

/** From the lines themselves: `name NUL line:text newline`, or a word on a file that is no text. */
export function readLineCounts(onFile?: (name: string) => void): CountsReader {
  const counts = new Map<string, number>()
  const binary: string[] = []
  return {
    feed: records('\n', (record) => {
      const end = record.indexOf('\0')
      if (end >= 0) count(record.slice(0, end))
      else noteBinary(record)
      return true
    }),
    end: () => ({ counts: [...counts].filter(([name]) => !binary.includes(name)), binary }),
  }

  function count(name: string): void {
    const before = counts.get(name) ?? 0
    counts.set(name, before + 1)
    if (before === 0) onFile?.(name)
  }

  function noteBinary(record: string): void {
    const end = BINARY.map((words) => record.indexOf(words)).find((at) => at > 0)
    if (end !== undefined) binary.push(record.slice(0, end))
  }
}

const BINARY = [': binary file matches (', ': WARNING: stopped searching binary file after match (']
