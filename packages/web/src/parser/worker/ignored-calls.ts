import { type Call, parse } from '@toolglot/core'
import type { IgnoredCall } from './item.ts'
import { KINDS, type Pieces, type ReadOptions } from './messages.ts'
import { chosenProtocol, parserOptions } from './parser-options.ts'
import type { Pause } from './read-reply.ts'

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#34;': '"',
  '&#60;': '<',
  '&#62;': '>',
  '&amp;': '&',
}

/**
 * The maximum number of places to parse again, of characters in all of them, and of calls to
 * report.
 */
const MAX_READ = 24
const MAX_LENGTH = 32 << 10
const MAX_CALLS = 8

/** A place that would be a call in any other position. */
interface Candidate {
  readonly why: IgnoredCall['why']
  readonly from: number
  readonly to: number
}

/**
 * Finds complete calls that are ignored because of their position: in closed reasoning, in code, or
 * with escaped marks.
 */
export async function ignoredCalls(
  text: string,
  pieces: Pieces,
  options: ReadOptions,
  pause: Pause,
): Promise<readonly IgnoredCall[]> {
  const found: IgnoredCall[] = []
  const chosen = chosenProtocol(options)
  if (!chosen) return found
  const known = new Set(options.tools?.map(({ name }) => name))
  let left = MAX_LENGTH
  let reads = MAX_READ
  for (const { why, from, to } of candidatesIn(text, pieces)) {
    if (reads-- <= 0 || found.length >= MAX_CALLS) break
    if (to - from > left) continue
    // Reports each call once, for the first reason.
    if (found.some((call) => call.from < to && from < call.to)) continue
    left -= to - from
    const given = text.slice(from, to)
    const copy = why === 'escaped' ? unescaped(given) : undefined
    const { calls } = parse(copy?.text ?? given, {
      ...parserOptions({ ...options, startsInReasoning: false }),
      ...(chosen !== 'all' && { protocols: [chosen] }),
    })
    for (const call of calls) {
      if (!isWhole(call, known)) continue
      const [start, end] = copy
        ? ([copy.places[call.span[0]]!, copy.places[call.span[1]]!] as const)
        : call.span
      // Only escapes at the start of the call can be the reason.
      if (copy && !/^&(lt|#60);/i.test(given.slice(start, start + 5))) continue
      if (found.length < MAX_CALLS)
        found.push({ why, name: call.name, from: from + start, to: from + end })
    }
    const pausing = pause()
    if (pausing) await pausing
  }
  return found.sort((a, b) => a.from - b.from)
}

/** Without marks, only the name of a known tool identifies a call. */
function isWhole({ complete, markerless, name }: Call, known: ReadonlySet<string>): boolean {
  return complete && (!markerless || known.has(name))
}

function* candidatesIn(text: string, { kinds, ends }: Pieces): Generator<Candidate> {
  const code = codeIn(text)
  let next = 0
  for (let at = 0; at < kinds.length; at++) {
    const from = at === 0 ? 0 : ends[at - 1]!
    const to = ends[at]!
    const kind = KINDS[kinds[at]!]
    if (kind === 'reasoning') {
      const own = codeIn(text.slice(from, to))
      yield { why: 'reasoning', from, to }
      for (const part of own) yield { why: 'reasoning', from: from + part[0], to: from + part[1] }
    }
    if (kind !== 'text') continue
    while (next < code.length && code[next]![0] < from) next++
    for (; next < code.length && code[next]![1] <= to; next++)
      if (code[next]![1] > code[next]![0])
        yield { why: 'code', from: code[next]![0], to: code[next]![1] }
    if (/&(lt|#60);/i.test(text.slice(from, Math.min(to, from + MAX_LENGTH))))
      yield { why: 'escaped', from, to }
  }
}

/** A text with HTML escapes decoded, and the original position of each character. */
function unescaped(text: string): { readonly text: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length + 1)
  let found = ''
  let at = 0
  while (at < text.length) {
    places[found.length] = at
    const end = text[at] === '&' ? text.slice(at, at + 6).indexOf(';') : -1
    const character = end < 0 ? undefined : CHARACTERS[text.slice(at, at + end + 1).toLowerCase()]
    found += character ?? text[at]!
    at += character === undefined ? 1 : end + 1
  }
  places[found.length] = at
  return { text: found, places }
}

/** The contents of code blocks and code spans: from, to. */
type CodePart = readonly [from: number, to: number]

/**
 * The maximum number of parts, and of characters in a span: searching for longer spans would be
 * slow.
 */
const MAX_PARTS = 200
const MAX_SPAN = 8192

/**
 * Finds code in a text as in Markdown: blocks between lines of backticks or tildes, and spans
 * between backticks.
 */
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
    // The first line of a block contains only its language.
    const from = isBlock ? Math.min(lineEnd(text, end) + 1, close[0]) : end
    parts.push([from, close[0]])
    at = close[1]
  }
  return parts
}

/** Finds the next mark from increasing positions, without searching the same text twice. */
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

/** The text before a position in its line, truncated if it is certainly too long. */
function lineBefore(text: string, at: number): string {
  const start = Math.max(0, at - 4)
  const before = text.slice(start, at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The start of a line of at least as many of the same marks and nothing else, or the end. */
function closingFence(text: string, from: number, mark: string): CodePart {
  for (let line = lineEnd(text, from); line < text.length; line = lineEnd(text, line + 1)) {
    const end = lineEnd(text, line + 1)
    // A longer line contains other text.
    if (end - line > 200) continue
    const content = text.slice(line + 1, end).trim()
    if (content.length >= mark.length && runEnd(content, 0) === content.length)
      if (content[0] === mark[0]) return [line + 1, end]
  }
  return [text.length, text.length]
}

/** The next run of exactly the same number of backticks. */
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
