import type { Hole } from '../hole.ts'
import { id } from './labels.ts'
import { readJsonText } from '../json/read.ts'
import type { ToolDefinition } from '../protocol.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { isName, readLabel } from '../read/label.ts'
import type { Marks } from '../read/marks.ts'
import { eatAny, lookAhead, space } from '../read/readers.ts'
import { declares, lacksRequired } from '../schema/property.ts'

/**
 * An id in place of `functions.NAME:0`, for known tools only. `functions_exec_1` and `exec` contain
 * the name; `call_abc123` and `3` do not, so the tool is the only one that accepts the following
 * arguments.
 */
const toolId: Hole = {
  identifies: true,
  *read({ input, stops, builder }) {
    const { tools } = builder
    const label = tools && builder.mayRepair ? yield* readLabel(input, stops, isName) : undefined
    if (label === undefined) return builder.fail('syntax', 'functions.NAME:0')
    const number = label.search(/[0-9]*$/)
    const named = namesIn(label, label.slice(0, number), tools!)
    const found =
      named.size === 0 && isNameless(label)
        ? yield* lookAhead(input, takers(input, stops, builder))
        : [...named]
    const [name] = found
    if (name === undefined || found.length > 1) return builder.fail('no-name', 'functions.NAME:0')
    builder.identify(named.size === 0 ? label : label.endsWith(name) ? '' : label.slice(number))
    return builder.repair('tool-id', label, name) && builder.setName(name)
  },
  print: ({ call }) => call.name,
}

/**
 * The call's id or, if it has none, its position in the turn, counted from `from`. With `named`,
 * the id may contain the tool's name.
 */
export function index({ from = 0, named }: { from?: number; named?: true } = {}): Hole {
  if (named) return toolId
  return { ...id, print: ({ call, index: at = 0 }) => call.id ?? String(at + from) }
}

/** The tools whose names occur in an id, with or without the text around them. */
function namesIn(
  label: string,
  stem: string,
  tools: ReadonlyMap<string, ToolDefinition>,
): ReadonlySet<string> {
  const parts = [label, stem, stem.replace(/[_.:-]$/, '')]
  const names = [...parts, ...parts.map((part) => part.replace(/^functions?[_.:-]?/, ''))]
  return new Set(tools.has(label) ? [label] : names.filter((name) => tools.has(name)))
}

/** True if an id contains no name: it is a number or an id made by a server. */
function isNameless(label: string): boolean {
  return /^(?:(?:call|toolu|chatcmpl)[^0-9]*[0-9]|[0-9]*$)/.test(label)
}

/**
 * The tools that accept the following arguments: they declare all of them, and no required argument
 * is missing.
 */
function* takers(input: Input, stops: Marks, builder: CallBuilder): Reader<readonly string[]> {
  yield* eatAny(input, stops)
  yield* space(input)
  const json = yield* readJsonText(input, builder)
  const args = json?.startsWith('{') ? (JSON.parse(json) as object) : {}
  const keys = Object.keys(args)
  return [...builder.tools!.values()].flatMap(({ name, parameters }) =>
    parameters &&
    keys.length > 0 &&
    keys.every((key) => declares(parameters, key)) &&
    !lacksRequired(parameters, args)
      ? [name]
      : [],
  )
}
