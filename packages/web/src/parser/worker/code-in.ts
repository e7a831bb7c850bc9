/** The contents of code blocks and code spans: from, to. */
export type CodePart = readonly [from: number, to: number]

/** How many are found, and how long a span may be: longer ones are not looked for, since many would be slow. */
const MAX_PARTS = 200
const MAX_SPAN = 8192

/** Finds code in a text, as Markdown has it: blocks between lines of backticks or tildes, and spans between backticks. */
export function codeIn(text: string): readonly CodePart[] {
  const parts: CodePart[] = []
  const tick = placesOf(text, '`')
  const tilde = placesOf(text, '~~~')
  let at = 0
  while (at < text.length && parts.length < MAX_PARTS) {
    const next = Math.min(tick(at), tilde(at))
    if (next === Infinity) break
    const end = runEnd(text, next)
    const mark = text.slice(next, end)
    const isBlock = mark.length > 2 && /^ {0,3}$/.test(lineBefore(text, next))
    if (!isBlock && mark[0] === '~') {
      at = end
      continue
    }
    const close = isBlock ? closingFence(text, end, mark) : closingRun(text, end, mark)
    if (!close) {
      at = end
      continue
    }
    // The first line of a block only names its language.
    const from = isBlock ? Math.min(lineEnd(text, end) + 1, close[0]) : end
    parts.push([from, close[0]])
    at = close[1]
  }
  return parts
}

/** Where a mark is next, from places that only grow. What was found once is not looked for again. */
function placesOf(text: string, mark: string): (from: number) => number {
  let next = -1
  return (from) => {
    if (next < from) {
      const found = text.indexOf(mark, from)
      next = found < 0 ? Infinity : found
    }
    return next
  }
}

function runEnd(text: string, from: number): number {
  let end = from
  while (text[end] === text[from] && end < text.length) end++
  return end
}

/** What is before a place in its line; never more than is needed to know that it is too much. */
function lineBefore(text: string, at: number): string {
  const start = Math.max(0, at - 4)
  const before = text.slice(start, at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** A line of at least as many of the same marks and nothing else; or the end. */
function closingFence(text: string, from: number, mark: string): CodePart {
  for (let line = lineEnd(text, from); line < text.length; line = lineEnd(text, line + 1)) {
    const end = lineEnd(text, line + 1)
    // A longer line has something else in it.
    if (end - line > 200) continue
    const content = text.slice(line + 1, end).trim()
    if (content.length >= mark.length && runEnd(content, 0) === content.length)
      if (content[0] === mark[0]) return [line + 1, end]
  }
  return [text.length, text.length]
}

/** The next run of exactly as many backticks. */
function closingRun(text: string, from: number, mark: string): CodePart | undefined {
  const near = text.slice(from, from + MAX_SPAN)
  let at = near.indexOf(mark)
  while (at >= 0) {
    const end = runEnd(near, at)
    if (end - at === mark.length) return [from + at, from + end]
    at = near.indexOf(mark, end)
  }
  return undefined
}
