/** Whatever is longer without a place to cut it is shown as it is written. */
const MAX_BLOCK = 4 << 10
/** Nobody nests lists and quotations as deep as this. Each level is a call on the stack of whatever reads and draws it. */
const MAX_DEPTH = 20
/** So many marks in one block are no text: what tries to pair them takes time that grows with their square. */
const MAX_MARKS = 600
const MAX_PIPES = 1000

/** Whether a text would take too long to read as Markdown, or is nested too deeply to be drawn. */
export function isHardToRead(text: string): boolean {
  if (text.length > MAX_BLOCK) return true
  return (
    countOf(text, /[*_~[\]`<&\\!]/g) > MAX_MARKS ||
    countOf(text, /\|/g) > MAX_PIPES ||
    text.split('\n').some((line) => depthOf(line) > MAX_DEPTH)
  )
}

/** How many quotations and lists a line begins or may be in. */
function depthOf(line: string): number {
  const [start = ''] = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*/.exec(line) ?? []
  const markers = countOf(start, /[>*+-]|\d+[.)]/g)
  const indent = /^\s*/.exec(line)![0].replaceAll('\t', '    ').length
  return markers + Math.floor(indent / 4)
}

function countOf(text: string, marks: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(marks)) count++
  return count
}
