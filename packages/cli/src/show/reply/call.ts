import { type Call, type RepairDetail, printCalls, type Protocol } from '@toolglot/core'
import type { Colors } from '../../terminal.ts'
import { block } from '../text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { toJson } from '../text/json.ts'

/** A call for people: its name, its arguments, and cautions about it. */
export function showCall(call: Call, colors: Colors): string {
  const name = colors.bold(visibleLine(call.name))
  const state = call.complete ? colors.green('complete') : colors.red('cut')
  const origin = colors.dim(visibleLine(`${call.protocol}, ${call.id}`))

  return block('call', colors.cyan, [
    `${name}  ${state}  ${origin}`,
    ...(call.reasoning ? [colors.dim(`because: ${visibleLine(call.reasoning)}`)] : []),
    ...showArguments(call.args, colors),
    ...cautionsFor(call).map((caution) => colors.yellow(`! ${caution}`)),
    ...(call.details ?? []).slice(0, MAX_SHOWN).map((detail) => colors.dim(showDetail(detail))),
  ])
}

/** The maximum number of details shown for a call. */
const MAX_SHOWN = 20

/** The position of a repair: `trailing-comma at 51: "," became ""`. */
function showDetail({ name, span, was, became }: RepairDetail): string {
  const [before, after] = [was, became].map((text) => visibleLine(JSON.stringify(text)))
  const [from] = span
  if (was === became) return `  ${name} at ${from}: ${before}`
  return `  ${name} at ${from}: ${was === '' ? `${after} added` : `${before} became ${after}`}`
}

/** Reasons to review a call. */
export function cautionsFor(call: Call): string[] {
  const found = [
    !call.complete && 'the reply was cut off in the middle of this call: not safe to run',
    call.repairs.length > 0 && `repaired: ${call.repairs.join(', ')}`,
    call.inReasoning && 'inside reasoning, without visible text after it',
    call.fenced && 'inside a code fence',
    call.markerless && 'no call markers: this JSON may not be an intended call',
    call.afterMalformed && 'started inside a block that could not be read',
    call.afterResult && 'comes after a result that the model made up',
    call.otherProtocol && "not written in the model's protocol",
  ]
  return found.filter((caution) => typeof caution === 'string')
}

/** The arguments of a call as colored JSON, one key per line. */
export function showArguments(args: unknown, colors: Colors): string[] {
  return joinShortLists(toJson(args, { indent: 2 }))
    .split('\n')
    .map((line) => paintLine(line, colors))
}

/** JSON strings contain no raw line breaks, so this only changes lists. */
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

/** An example call in any protocol. The call is always the same, for comparison. */
export function exampleCall(protocol: Protocol): string {
  return printCalls(protocol, [{ name: 'get_weather', args: { city: 'Hanoi', days: 3 } }]).trim()
}
