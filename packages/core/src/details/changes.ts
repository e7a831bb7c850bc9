import { plainKey } from '../schema/property.ts'
import type { Found } from './frame.ts'
import { afterSpace, fact, LONG, parsed, stringEnd, trimmed, valueEnd } from './text.ts'

/** Where the value between two places, if it is JSON, differs from the value that was made of it. */
export function changesIn(text: string, from: number, to: number, made: unknown): readonly Found[] {
  const part = trimmed(text, from, to)
  const json = text.slice(part.from, part.to)
  const found: Found[] = []
  if (parsed(json)) walk(json, 0, made, found)
  return found.length > 0
    ? found.map((one) => ({ ...one, from: part.from + one.from, to: part.from + one.to }))
    : [replaced(text, part.from, part.to, made)]
}

/** Walks valid JSON along with the value that was made of it. Returns where it ends. */
function walk(json: string, at: number, made: unknown, found: Found[]): number {
  const isList = json[at] === '['
  const nests = typeof made === 'object' && made !== null && Array.isArray(made) === isList
  if (!nests || (json[at] !== '{' && !isList)) {
    const end = valueEnd(json, at)
    if (JSON.stringify(parsed(json.slice(at, end))?.value) !== JSON.stringify(made))
      found.push(replaced(json, at, end, made))
    return end
  }
  let i = afterSpace(json, at + 1)
  for (let index = 0; i < json.length && json[i] !== '}' && json[i] !== ']'; index++) {
    const start = i
    let key = String(index)
    if (!isList) {
      const end = stringEnd(json, i)
      key = String(parsed(json.slice(i, end))?.value)
      i = afterSpace(json, afterSpace(json, end) + 1)
    }
    const name = nameIn(made, key)
    if (name !== undefined) i = walk(json, i, (made as Record<string, unknown>)[name], found)
    else found.push(replaced(json, start, (i = valueEnd(json, i)), undefined))
    i = afterSpace(json, i)
    if (json[i] === ',') i = afterSpace(json, i + 1)
  }
  return i + 1
}

/** The key under which a member is found: its own, or the one that was meant, which another repair tells. */
function nameIn(made: object, key: string): string | undefined {
  if (Object.hasOwn(made, key)) return key
  return Object.keys(made).find((other) => plainKey(other) === plainKey(key))
}

/** A piece that became this value, or nothing. If one of them is long, that piece is only pointed at. */
function replaced(text: string, from: number, to: number, made: unknown): Found {
  const became = JSON.stringify(made) ?? ''
  return Math.max(to - from, became.length) > LONG ? fact(text, from, to) : { from, to, became }
}
