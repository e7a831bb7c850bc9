import type { FoundLine } from '../host/search.ts'
import { records } from './records.ts'

/** Reads ripgrep's `/dev/fd/N NUL line:text newline`, with `-` for `:` where a line only stands near a match. */
export function readLines(onLine: (line: FoundLine) => boolean): (text: string) => boolean {
  return records('\n', (record) => {
    const name = record.indexOf('\0')
    // A word on a file that is no text.
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
