/** The difference of two texts as a unified diff, with three lines around each change; empty if there is none. */
export function unifiedDiff(before: string, after: string, path: string): string {
  const hunks = hunksOf(stepsOf(split(before), split(after)))
  if (hunks.length === 0) return ''
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join('\n')
}

/** A line that stays, goes or comes. */
interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

function split(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()!
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}

const AROUND = 3

function hunksOf(steps: readonly Step[]): string[] {
  const hunks: string[] = []
  let oldLine = 1
  let newLine = 1
  let index = 0
  while (index < steps.length) {
    let change = index
    while (steps[change]?.sign === ' ') change++
    if (change === steps.length) break
    const start = Math.max(index, change - AROUND)
    oldLine += start - index
    newLine += start - index
    const end = endOfHunk(steps, change)
    const hunk = steps.slice(start, end)
    const olds = hunk.filter(({ sign }) => sign !== '+').length
    const news = hunk.filter(({ sign }) => sign !== '-').length
    hunks.push(`@@ -${rangeOf(oldLine, olds)} +${rangeOf(newLine, news)} @@`)
    hunks.push(...hunk.map(({ sign, line }) => sign + line))
    oldLine += olds
    newLine += news
    index = end
  }
  return hunks
}

/** An empty range stands behind the line before it. */
function rangeOf(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`
}

function endOfHunk(steps: readonly Step[], change: number): number {
  let last = change
  for (let at = change; at < steps.length && at - last <= AROUND * 2; at++)
    if (steps[at]!.sign !== ' ') last = at
  return Math.min(steps.length, last + 1 + AROUND)
}

function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return [
    ...signed(' ', before.slice(0, start)),
    ...middleSteps(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...signed(' ', before.slice(before.length - end)),
  ]
}

function signed(sign: Step['sign'], lines: readonly string[]): Step[] {
  return lines.map((line) => ({ sign, line }))
}

/** Beyond so many differences, all lines go and all new ones come: nobody reads such a diff. */
const MAX_DIFFERENCES = 400

/** The shortest way from one to the other (Myers 1986). */
function middleSteps(before: readonly string[], after: readonly string[]): Step[] {
  const furthest = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let count = 0; count <= MAX_DIFFERENCES; count++) {
    trace.push(new Map(furthest))
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = startOn(furthest, diagonal, count)
      let y = x - diagonal
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++
        y++
      }
      furthest.set(diagonal, x)
      if (x >= before.length && y >= after.length) return wayBack(trace, before, after)
    }
  }
  return [...signed('-', before), ...signed('+', after)]
}

/** Where a way on a diagonal begins: a line comes from the one above, or goes from the one below. */
function startOn(furthest: ReadonlyMap<number, number>, diagonal: number, count: number): number {
  return comesTo(furthest, diagonal, count)
    ? furthest.get(diagonal + 1)!
    : furthest.get(diagonal - 1)! + 1
}

function comesTo(furthest: ReadonlyMap<number, number>, diagonal: number, count: number): boolean {
  if (diagonal === -count) return true
  return diagonal !== count && furthest.get(diagonal - 1)! < furthest.get(diagonal + 1)!
}

function wayBack(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Step[] {
  const steps: Step[] = []
  let x = before.length
  let y = after.length
  for (let count = trace.length - 1; count >= 0; count--) {
    const furthest = trace[count]!
    const diagonal = x - y
    const start = startOn(furthest, diagonal, count)
    while (x > start) {
      steps.push({ sign: ' ', line: before[--x]! })
      y--
    }
    if (count === 0) break
    if (comesTo(furthest, diagonal, count)) steps.push({ sign: '+', line: after[--y]! })
    else steps.push({ sign: '-', line: before[--x]! })
  }
  return steps.reverse()
}
