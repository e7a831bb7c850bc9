import type { PrintableCall, Protocol, Tool } from '../protocol.ts'
import { name } from '../holes/labels.ts'
import { closingOf, wiresOf } from '../read/grammar.ts'
import { starts, tokens } from '../read/compile.ts'
import { type Inert, type Neutraliser, neutraliser } from './neutralise.ts'
import type { Wire } from '../wire.ts'
import { print, printAround } from './print.ts'

/** What a tool gave, to be told to the model. */
export interface Result {
  /** The call it answers. */
  readonly call: Pick<PrintableCall, 'name'> & Partial<PrintableCall>
  /** Text, or any value that JSON can hold. */
  readonly output: unknown
  /** The tool failed: `output` says why. */
  readonly failed?: boolean
  /** The call itself was wrong: the model is asked to write it again. */
  readonly invalid?: boolean
}

/**
 * The results of a turn as the model is told of them. Output is not to be trusted: marks of any of the protocols in it are
 * made inert, so that it can neither close its wrapper nor be taken for a call. With `tools`, so is what tells a call by a
 * tool's name. `restore` undoes that.
 */
export function printResultsAgainst(
  protocols: readonly Protocol[],
  protocol: Protocol,
  results: readonly Result[],
  tools?: readonly Tool[],
): string {
  const { neutralise } = guardOf(protocols, tools)
  const printed = results.map((result, index) => printOne(protocol, result, index, neutralise))
  return printAround(protocol.results, printed)
}

function printOne(
  protocol: Protocol,
  { call, output, failed = false, invalid = false }: Result,
  index: number,
  neutralise: (text: string) => string,
): string {
  const picture = (invalid ? protocol.error : undefined) ?? protocol.result
  const named = {
    args: {},
    ...call,
    name: neutralise(call.name),
    ...(call.id !== undefined && { id: neutralise(call.id) }),
  }
  return print(picture, named, {
    index,
    output: { output: throughout(output, neutralise), failed: failed || invalid },
  })
}

const guards = new WeakMap<object, Neutraliser>()

/** Makes the marks of these protocols inert, and undoes it. Made once for a list of tools. */
export function guardOf(protocols: readonly Protocol[], tools?: readonly Tool[]): Neutraliser {
  let guard = guards.get(tools ?? protocols)
  if (!guard) {
    const names = tools?.map((tool) => tool.name) ?? []
    guard = neutraliser([
      ...protocols.flatMap((protocol) => marksOf(protocol, names)),
      ...names.flatMap(quotedName),
    ])
    guards.set(tools ?? protocols, guard)
  }
  return guard
}

/** Where JSON or Python names a tool: all that tells a call without marks. */
function quotedName(tool: string): Inert[] {
  return ['"', "'"].map((quote) => ({ mark: quote + tool + quote, anyCase: false, behind: ',}' }))
}

/** Every mark that opens or closes something: a call, or a value in one, so that a result can be copied into a call. */
function marksOf(protocol: Protocol, names: readonly string[]): Inert[] {
  const { call, section, variants = [], general = [], reasoning, answer, ignore = [] } = protocol
  const { result, results, error, anyCase = false } = protocol
  const called = [call, ...variants, ...general, ...(section ? [section] : [])]
  const others = [result, results, error, ...wiresOf(reasoning), ...wiresOf(answer), ...ignore]
  const marks = [...called, ...others].flatMap((wire) =>
    typeof wire === 'object'
      ? [
          ...starts(wire, names, call).marks,
          ...wire.flatMap((part) => (typeof part === 'string' ? [] : (part.around?.(names) ?? []))),
          closingOf(wire) ?? '',
          ...endsOfOutput(wire),
        ]
      : [wire ?? ''],
  )
  return [
    ...marks
      .filter((mark) => !isCommon(mark) && !names.includes(mark))
      .map((mark) => ({ mark, anyCase })),
    ...called.flatMap((wire) => wordsOf(wire, names, call)),
  ]
}

/** What begins a call and is a word or a name, where no other mark in the picture tells it from prose. */
function wordsOf(wire: Wire, names: readonly string[], call: Wire): Inert[] {
  const [first, ...rest] = wire
  const words = first ? starts([first], names, call).marks : []
  if (rest.some((part) => typeof part === 'string' && !tokens(part).every(isCommon))) return []
  const named = rest[0] === name
  const next = starts(named ? rest.slice(1) : rest, undefined, call).marks
  // JSON may stand in a fence.
  const behind = next.map((mark) => mark[0]).join('') + (next.includes('{') ? '`' : '')
  return words
    .filter((word) => names.includes(word) || (word.length > 1 && isCommon(word)))
    .map((mark) => ({ mark, anyCase: false, behind, named }))
}

/** Words, and a few signs without any: every text holds them. */
function isCommon(mark: string): boolean {
  return mark.length < 2 || /^(?:[a-z ]+[=(]?|[^\p{L}]{1,3})$/iu.test(mark)
}

/** What stands behind a tool's output in a picture of a result: output must not hold it. */
function endsOfOutput(wire: Wire): string[] {
  const output = wire.findIndex((part) => typeof part !== 'string' && part.isOutput)
  return output < 0 ? [] : starts(wire.slice(output + 1)).marks
}

/** Change every string in a value, keys too. */
function throughout(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => throughout(item, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [
    change(key),
    throughout(item, change),
  ])
  return Object.fromEntries(entries) as unknown
}
