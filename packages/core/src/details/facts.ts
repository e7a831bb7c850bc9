import type { Found } from './frame.ts'
import { afterSpace, stringEnd } from './text.ts'

/** The keys that occur again in an object of a text, from a place on. */
export function duplicatesIn(text: string, from = 0): readonly Found[] {
  const open: Set<string>[] = []
  const found: Found[] = []
  for (let at = from; at < text.length && found.length < MAX_FOUND; at++) {
    const char = text[at]
    if (char === '{') open.push(new Set())
    else if (char === '}') open.pop()
    else if (char === '"' || char === "'") {
      const end = stringEnd(text, at)
      const keys = open.at(-1)
      if (keys && text[afterSpace(text, end)] === ':') {
        const key = text.slice(at + 1, end - 1)
        if (keys.has(key)) found.push({ from: at, to: end })
        keys.add(key)
      }
      at = end - 1
    }
  }
  return found
}

const MAX_FOUND = 100

/**
 * The numbers of these arguments that JavaScript cannot represent. The same digits may be in a text, too: numbers outside
 * strings come first, then strings that are nothing else, since a schema may have made them numbers.
 */
export function largeNumbersIn(text: string, args: unknown): readonly Found[] {
  const left = largeNumbers(args)
  const strings = stringsIn(text)
  const kinds: (readonly [Found, number])[][] = [[], [], []]
  let string = 0
  for (const { 0: digits, index } of text.matchAll(NUMBER)) {
    const value = Number(digits)
    if (!left.has(value)) continue
    // Too large for any number: there is nothing to write in its place.
    const became = Number.isFinite(value) ? String(value) : undefined
    const found = { from: index, to: index + digits.length, became }
    while (string < strings.length && strings[string]![1] <= index) string++
    const [start, end] = strings[string] ?? [Infinity, Infinity]
    const kind = start > index ? 0 : end - start === digits.length + 2 ? 1 : 2
    if (kinds[kind]!.length < MAX_FOUND) kinds[kind]!.push([found, value])
  }
  return kinds.flat().flatMap(([found, value]) => {
    const count = left.get(value)!
    left.set(value, count - 1)
    return count > 0 ? [found] : []
  })
}

/** A number that is not part of a word. */
const NUMBER = /(?<![\w.+-])[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/g

/** How often each number occurs in a value that is not what was written. */
function largeNumbers(args: unknown): Map<number, number> {
  const counts = new Map<number, number>()
  const pending = [args]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'object' && value !== null)
      for (const one of Object.values(value)) pending.push(one)
    else if (typeof value === 'number' && isLarge(value))
      counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function isLarge(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
}

/** The strings in double quotes. */
function stringsIn(text: string): readonly (readonly [from: number, to: number])[] {
  const strings: [number, number][] = []
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = stringEnd(text, at)
    strings.push([at, end])
    at = end
  }
  return strings
}
