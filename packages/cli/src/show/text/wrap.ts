import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from './width.ts'

/** Breaks a line between words so that it fits. Colors take no room. */
export function wrap(line: string, columns: number): string[] {
  if (line.length * 2 <= columns) return [line]

  const lines: string[] = []
  let current = ''
  let used = 0
  for (const word of line.match(/\s*\S+|\s+$/g) ?? []) {
    const size = displayWidth(stripVTControlCharacters(word))
    if (used > 0 && used + size > columns) {
      lines.push(current)
      current = word.trimStart()
      used = displayWidth(stripVTControlCharacters(current))
    } else {
      current += word
      used += size
    }
  }
  return [...lines, current]
}
