import { jsonContent } from '../json/content.ts'
import { mapTexts } from './map-texts.ts'
import type { Neutralizer } from './neutralize.ts'
import { type Restorer, restorer } from './restorer.ts'

/**
 * Restores the texts in JSON that arrives in pieces. A key waits for its end. Once a key changes, the rest of its object waits
 * too: a later key may be the same.
 */
export function jsonRestorer({ restore, markAt }: Neutralizer): Restorer {
  /** An escape that is not complete. */
  let escape = ''
  /** The keys of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = []
  let keyNext = false
  /** What is not passed on yet of the string that is open. */
  let string: string | undefined
  let value: Restorer | undefined
  /** The rest of an object that has to wait, and how many are open around it. */
  let waiting: { json: string; depth: number } | undefined

  const give = (json: string): string => {
    if (!waiting) return json
    waiting.json += json
    return ''
  }

  /** What is certain of the value that is open. */
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

  /** What waited for the end of this object. */
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

/** What cannot be read as JSON is taken literally. */
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
