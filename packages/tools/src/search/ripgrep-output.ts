import type { FoundLine } from '../host/search.ts'

/**
 * Splits a stream of text into records. Records longer than `maxLength` are truncated. Returns a
 * function that takes text and returns true if more is needed, like `onRecord`. Text after the last
 * separator is not a record.
 */
export function splitRecords(
  separator: string,
  onRecord: (record: string) => boolean,
  maxLength = 65_536,
): (text: string) => boolean {
  let begun = ''
  return (text) => {
    let from = 0
    for (;;) {
      const end = text.indexOf(separator, from)
      if (end < 0) break
      const record = begun === '' ? text.slice(from, end) : begun + text.slice(from, end)
      begun = ''
      from = end + separator.length
      if (!onRecord(record.length > maxLength ? record.slice(0, maxLength) : record)) return false
    }
    if (begun.length < maxLength) begun += text.slice(from, from + maxLength - begun.length)
    return true
  }
}

/** Parses ripgrep's `/dev/fd/N NUL line:text newline`; a context line has `-` instead of `:`. */
export function readLines(onLine: (line: FoundLine) => boolean): (text: string) => boolean {
  return splitRecords('\n', (record) => {
    const name = record.indexOf('\0')
    // A message that a file is binary.
    if (name < 0) return true
    let end = name + 1
    while (isDigit(record.charCodeAt(end))) end++
    const text = record.slice(end + 1)
    return onLine({
      file: Number(record.slice('/dev/fd/'.length, name)) - 3,
      number: Number(record.slice(name + 1, end)),
      text: text.endsWith('\r') ? text.slice(0, -1) : text,
      matches: record[end] === ':',
    })
  })
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Collects the numbers of matches per file from ripgrep's output. */
export interface CountsReader {
  readonly feed: (text: string) => boolean
  end(): {
    readonly counts: readonly (readonly [name: string, lines: number])[]
    readonly binary: readonly string[]
  }
}

/** Parses `name NUL count newline`; names may contain newlines. */
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

/** Counts the lines `name NUL line:text newline`, and records messages about binary files. */
export function readLineCounts(onFile?: (name: string) => void): CountsReader {
  const counts = new Map<string, number>()
  const binary: string[] = []
  return {
    feed: splitRecords('\n', (record) => {
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
    const end = BINARY_MESSAGES.map((message) => record.indexOf(message)).find((at) => at > 0)
    if (end !== undefined) binary.push(record.slice(0, end))
  }
}

const BINARY_MESSAGES = [
  ': binary file matches (',
  ': WARNING: stopped searching binary file after match (',
]
