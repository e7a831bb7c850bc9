import { JOINER, type Neutralizer } from './neutralize.ts'
import { kept } from '../read/cached.ts'
import type { Event } from '../reply.ts'
import { jsonContent } from '../json/text.ts'

/** Restores text that arrives in pieces. */
export interface Restorer {
  /** Adds text. Returns as much of the restored text as is certain. */
  feed(text: string): string
  /** Ends the text and returns the rest. */
  end(): string
}

/**
 * Restores text as it arrives. Text is held back only after a joiner, until it is certain whether a
 * mark begins before it. Of several joiners, all but one are output immediately.
 */
export function restorer(markAt: Neutralizer['markAt']): Restorer {
  /** Text without joiners: the last characters passed on, and the text held back. */
  let plain = ''
  let passed = 0
  /** The number of joiners before each offset in it, in order. */
  let gaps = new Map<number, number>()

  const take = (ended: boolean): string => {
    let out = ''
    /** The lowest offset of a mark's first character, which follows earlier joiners. */
    let low = 0
    for (const [at, joiners] of gaps) {
      out += plain.slice(passed, at)
      passed = at
      const pair = at - 2 >= low && plain.codePointAt(at - 2)! > 0xffff
      const match = at > low ? markAt(plain, at - (pair ? 2 : 1)) : 'none'
      const open = match === 'part' && !ended
      out += JOINER.repeat(open || match === 'all' ? joiners - 1 : joiners)
      gaps.set(at, 1)
      if (open) break
      gaps.delete(at)
      low = at
    }
    if (gaps.size === 0) {
      out += plain.slice(passed)
      passed = plain.length
    }
    const from = Math.max(low, passed - 2)
    plain = plain.slice(from)
    passed -= from
    gaps = new Map([...gaps].map(([at, joiners]) => [at - from, joiners]))
    return out
  }

  return {
    feed(text) {
      for (const part of text.split(JOINERS)) {
        if (!part.startsWith(JOINER)) plain += part
        else gaps.set(plain.length, (gaps.get(plain.length) ?? 0) + part.length)
      }
      return take(false)
    },
    end: () => take(true),
  }
}

const JOINERS = /(\u2060+)/

/** Restores arguments in events: the JSON pieces of each call, and its arguments at the end. */
export async function* restoreEvents<Other extends { readonly type: string }>(
  events: AsyncIterable<Event | Other> | Iterable<Event | Other>,
  guard: Neutralizer,
): AsyncGenerator<Event | Other, void, void> {
  const calls = new Map<number, Restorer>()
  for await (const given of events) {
    const event = given as Event
    if (event.type === 'call-delta') {
      const call = kept(calls, event.index, () => jsonRestorer(guard))
      const delta = call.feed(event.delta)
      if (delta !== '') yield { ...event, delta }
    } else if (event.type === 'call-end') {
      const { index, call } = event
      const delta = calls.get(index)?.end() ?? ''
      calls.delete(index)
      if (delta !== '') yield { type: 'call-delta', index, delta }
      const args = mapTexts(call.args, guard.restore) as typeof call.args
      yield args === call.args ? event : { ...event, call: { ...call, args } }
    } else {
      // The event may take back a call.
      if (event.type === 'malformed') calls.delete(event.index!)
      yield given
    }
  }
}

/**
 * Restores the strings in JSON that arrives in pieces. Keys are held back until they end. Once a
 * key changes, the rest of its object is also held back, since a later key may become the same.
 */
function jsonRestorer({ restore, markAt }: Neutralizer): Restorer {
  /** An incomplete escape. */
  let escape = ''
  /** The keys of each open object, or undefined for a list. */
  const open: (Set<string> | undefined)[] = []
  let keyNext = false
  /** The part of the current string that is not passed on yet. */
  let string: string | undefined
  let value: Restorer | undefined
  /** The held-back rest of an object, and its depth. */
  let waiting: { json: string; depth: number } | undefined

  const give = (json: string): string => {
    if (!waiting) return json
    waiting.json += json
    return ''
  }

  /** Passes on the certain part of the current value. */
  const passed = (): string => {
    if (!value || !string) return ''
    const text = decoded(string)
    string = ''
    return give(jsonContent(waiting ? text : value.feed(text)))
  }

  const take = (token: string): string => {
    const keys = open.at(-1)
    if (string === undefined) {
      if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
      if (token === '{' || token === ',') keyNext = true
      if (token === '"') string = ''
      if (token === '"' && keyNext && keys) return ''
      if (token === '"') value = restorer(markAt)
      const out = give(token)
      return token === '}' || token === ']' ? out + closed() : out
    }
    if (token !== '"') string += token
    if (token !== '"') return ''
    if (value) {
      const out = passed() + give(jsonContent(value.end()) + token)
      string = value = undefined
      return out
    }
    const text = decoded(string)
    const json = `"${string}"`
    string = undefined
    keyNext = false
    if (!waiting && restore(text) !== text) waiting = { json: '', depth: open.length }
    if (!waiting) keys!.add(text)
    return give(json)
  }

  /** Releases the text that was held back until the end of this object. */
  const closed = (): string => {
    const keys = open.pop()
    if (!waiting || open.length >= waiting.depth) return ''
    const { json } = waiting
    waiting = undefined
    const object = parsed(`{${json}`, undefined)
    return object ? JSON.stringify(mapTexts(object, restore, keys)).slice(1) : json
  }

  return {
    feed(delta) {
      let out = ''
      const json = escape + delta
      escape = ''
      for (const [token] of json.matchAll(TOKEN)) {
        if (token[0] === '\\' && token.length < (token[1] === 'u' ? 6 : 2)) escape = token
        else out += take(token)
      }
      return out + passed()
    },
    end() {
      const text = value ? jsonContent(value.end()) : string === undefined ? '' : `"${string}`
      return (waiting?.json ?? '') + text + escape
    },
  }
}

const TOKEN = /\\(?:u[^]{0,4}|[^]?)|["{}[\],]|[^\\"{}[\],]+/g

/** Decodes the content of a JSON string. Invalid JSON is taken literally. */
function decoded(json: string): string {
  return parsed(`"${json}"`, json) as string
}

function parsed(json: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return otherwise
  }
}

/**
 * Changes all strings in a value, including keys. Returns the same value if nothing changes. If two
 * keys of an object, or a key and one of `taken`, would become equal, all keys of the object are
 * left unchanged, so that the tool's schema rejects them.
 */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  taken: ReadonlySet<string> = new Set(),
): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value)
  const after = before.map(([key, item]) => [change(key), mapTexts(item, change)] as const)
  const isNew = (key: string, i: number): boolean => key !== before[i]![0]
  if (!after.some(([key, item], i) => isNew(key, i) || item !== before[i]![1])) return value
  const collide =
    new Set(after.map(([key]) => key)).size < after.length ||
    after.some(([key], i) => isNew(key, i) && taken.has(key))
  const kept = collide ? after.map(([, item], i) => [before[i]![0], item]) : after
  return Object.fromEntries(kept) as unknown
}
