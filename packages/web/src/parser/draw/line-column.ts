/** The line and the column of a position in a text, both from 1. */
export function lineColumn(text: string, at: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
    line++
    start = next + 1
  }
  return { line, column: at - start + 1 }
}
