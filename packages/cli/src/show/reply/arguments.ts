import type { Colors } from '../../terminal.ts'
import { toJson } from '../text/json.ts'

/** The arguments of a call as colored JSON, one key per line. */
export function showArguments(args: unknown, colors: Colors): string[] {
  return joinShortLists(toJson(args, { indent: 2 }))
    .split('\n')
    .map((line) => paintLine(line, colors))
}

/** JSON strings have no raw line breaks, so this only changes lists. */
function joinShortLists(json: string): string {
  return json.replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (list, items: string) => {
    const joined = `[${items.replace(/,\n\s+/g, ', ')}]`
    return joined.length <= 60 ? joined : list
  })
}

/** Indented JSON has at most one key and one value per line. */
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
