import type { Colors } from '../terminal.ts'
import { toJson } from './json.ts'

/** The arguments of a call as JSON, one key a line, the keys standing out. */
export function showArguments(args: unknown, colors: Colors): string[] {
  return joinShortLists(toJson(args, { indent: 2 }))
    .split('\n')
    .map((line) => paintLine(line, colors))
}

/** In JSON a raw line break never stands inside a string, so this touches nothing but lists. */
function joinShortLists(json: string): string {
  return json.replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (list, items: string) => {
    const joined = `[${items.replace(/,\n\s+/g, ', ')}]`
    return joined.length <= 60 ? joined : list
  })
}

/** Indented JSON has at most one key and one value a line. */
function paintLine(line: string, colors: Colors): string {
  const [, space = '', key = '', colon = '', value = ''] =
    /^(\s*)(?:("(?:[^"\\]|\\.)*")(: ))?(.*)$/.exec(line) ?? []
  return space + colors.cyan(key) + colon + paintValue(value, colors)
}

function paintValue(value: string, colors: Colors): string {
  if (value.startsWith('"')) return colors.green(value)
  if (/^[-\dtfn]/.test(value)) return colors.yellow(value)
  return value
}
