import { type Call, parse } from '@toolglot/core'
import { codeIn } from './code-in.ts'
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

/** How many places are read again, how much of all of them together, and how many calls are told. */
const MAX_READ = 24
const MAX_LENGTH = 32 << 10
const MAX_CALLS = 8

/** A place where a call would be one if it stood anywhere else. */
interface Candidate {
  readonly why: IgnoredCall['why']
  readonly from: number
  readonly to: number
}

/** Finds whole calls that do not count because of where they are: in closed reasoning, in code, or with escaped marks. */
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
    // One call is told once, for the first reason.
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
      // Escapes elsewhere are not the reason.
      if (copy && !/^&(lt|#60);/i.test(given.slice(start, start + 5))) continue
      if (found.length < MAX_CALLS)
        found.push({ why, name: call.name, from: from + start, to: from + end })
    }
    const pausing = pause()
    if (pausing) await pausing
  }
  return found.sort((a, b) => a.from - b.from)
}

/** Of what has no marks of its own, only a known tool's name is a call. */
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

/** A text without HTML's escapes, and where each of its characters was. */
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
