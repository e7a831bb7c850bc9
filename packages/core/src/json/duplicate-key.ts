import { isSpace } from '../read/readers.ts'

/** A key that occurs twice in one object of a JSON text, at any depth: `JSON.parse` silently keeps the last. */
export function duplicateKeyIn(json: string): string | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '{') open.push(new Set())
    else if (json[at] === '}') open.pop()
    else if (json[at] === '"') {
      const start = at
      while (++at < json.length && json[at] !== '"') if (json[at] === '\\') at++
      let next = at + 1
      while (isSpace(json.charCodeAt(next))) next++
      if (json[next] !== ':') continue
      const key = JSON.parse(json.slice(start, at + 1)) as string
      if (open.at(-1)?.has(key)) return key
      open.at(-1)?.add(key)
    }
  }
  return undefined
}
