/** The lines of a text, as servers count them. */
export function linesIn(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}

/** How many UTF-16 units stand before a character, counted from 1; undefined if the line has no such place. */
export function unitsBefore(line: string, character: number): number | undefined {
  let units = 0
  for (let at = 1; at < character; at++) {
    if (units >= line.length) return undefined
    units += line.codePointAt(units)! > 0xffff ? 2 : 1
  }
  return units
}

/** Which character, counted from 1, stands behind so many units: an emoji is one, and two units. */
export function characterAt(line: string, units: number): number {
  const end = Math.min(units, line.length)
  let character = 1
  for (let at = 0; at < end; character++) at += line.codePointAt(at)! > 0xffff ? 2 : 1
  return character
}
