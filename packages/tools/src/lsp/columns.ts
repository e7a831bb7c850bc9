/** The lines of a text, split like servers do. */
export function linesIn(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}

/** The number of UTF-16 code units before a character (counted from 1); undefined if the line is too short. */
export function unitsBefore(line: string, character: number): number | undefined {
  let units = 0
  for (let at = 1; at < character; at++) {
    if (units >= line.length) return undefined
    units += line.codePointAt(units)! > 0xffff ? 2 : 1
  }
  return units
}

/** The character (counted from 1) after so many UTF-16 code units. An emoji is one character, but two units. */
export function characterAt(line: string, units: number): number {
  const end = Math.min(units, line.length)
  let character = 1
  for (let at = 0; at < end; character++) at += line.codePointAt(at)! > 0xffff ? 2 : 1
  return character
}
