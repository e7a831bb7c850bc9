import type { Call, ToolDefinition } from '@toolglot/core'
import { type Fault, faultsIn } from '../../sandbox/form/faults.ts'
import { valueAt } from '../../sandbox/form/values.ts'
import { readParameters } from '../../sandbox/form/read-schema.ts'
import type { CallProblem } from './item.ts'
import { nearest } from '@toolglot/permissions/internal'

/** The longest name that is split into words. */
const MAX_NAME = 64

/** Notes of the parser that are not repairs: the text was unusable. */
const NOT_REPAIRS: ReadonlySet<string> = new Set(['mistyped', 'unknown-key'])
/** The maximum number of problems reported per call, and of characters shown of a value. */
const MAX_PROBLEMS = 8
const MAX_VALUE = 60
/**
 * Limits on the names compared and on the unknown names looked up, so that megabytes of text with a
 * thousand tools do not take minutes.
 */
const MAX_NAMES = 500
const MAX_WRONG = 200

/** The notes of a call that are real repairs. */
export function realRepairs({ repairs }: Pick<Call, 'repairs'>): readonly string[] {
  return repairs.filter((name) => !NOT_REPAIRS.has(name))
}

/** Finds the reasons why a call would fail: an unknown tool, or invalid arguments. */
export type CallChecker = (call: Call) => readonly CallProblem[]

/** Checks calls against these tools. Without tools, only the parser's notes are known. */
export function callChecker(tools: readonly ToolDefinition[] = []): CallChecker {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const names = [...byName.keys()].slice(0, MAX_NAMES)
  const similar = new Map<string, string | undefined>()
  /** Finds the intended name once for each unknown name, up to a limit. */
  const meant = (wrong: string, known: readonly string[], of: string): string | undefined => {
    const key = JSON.stringify([of, wrong])
    if (!similar.has(key) && similar.size < MAX_WRONG) similar.set(key, similarName(wrong, known))
    return similar.get(key)
  }
  const fields = new Map<ToolDefinition, ReturnType<typeof readParameters>>()
  const fieldOf = (tool: ToolDefinition): ReturnType<typeof readParameters> => {
    let field = fields.get(tool)
    if (!field) fields.set(tool, (field = readParameters(tool.parameters)))
    return field
  }
  return (call) => {
    const tool = byName.get(call.name)
    if (tools.length > 0 && !tool) {
      const name = meant(call.name, names, '')
      return [{ type: 'unknown-tool', similar: name }]
    }
    const field = tool?.parameters && fieldOf(tool)
    const known = field ? field.properties.slice(0, MAX_NAMES).map(({ name }) => name) : []
    const unknown = unknownKeys(call, (wrong) => meant(wrong, known, call.name))
    const faults = field ? faultsOf(call, faultsIn(field, call.args)) : []
    const isTold = faults.some(({ fault }) => fault.type !== 'required')
    return [...unknown, ...faults, ...(isTold ? [] : mistyped(call))].slice(0, MAX_PROBLEMS)
  }
}

function faultsOf(
  { args, complete }: Call,
  faults: ReadonlyMap<string, Fault>,
): readonly Extract<CallProblem, { type: 'argument' }>[] {
  return (
    [...faults]
      // Missing arguments may have been cut off.
      .filter(([, { type }]) => complete || type !== 'required')
      .map(([place, fault]) => ({
        type: 'argument',
        argument: place.slice(1, MAX_VALUE),
        fault,
        got: fault.type !== 'required' ? shortJson(valueAt(args, place)) : undefined,
      }))
  )
}

function unknownKeys(
  call: Call,
  meant: (wrong: string) => string | undefined,
): readonly CallProblem[] {
  return placesOf(call, 'unknown-key')
    .slice(0, MAX_PROBLEMS)
    .map((was) => {
      const argument = was.replace(/^["']|["']$/g, '')
      const similar = meant(argument)
      return {
        type: 'unknown-argument',
        argument: argument.slice(0, MAX_VALUE),
        similar: similar !== undefined && !Object.hasOwn(call.args, similar) ? similar : undefined,
      }
    })
}

function mistyped(call: Call): readonly CallProblem[] {
  return placesOf(call, 'mistyped').map((was) => ({
    type: 'mistyped',
    got: was.slice(0, MAX_VALUE),
  }))
}

/**
 * The texts at the places of a note; one empty text if it has no place. The calls of one block
 * share its notes, but only the first has the details.
 */
function placesOf({ repairs, details }: Call, note: string): readonly string[] {
  if (!repairs.includes(note)) return []
  if (!details) return ['']
  return details.filter(({ name }) => name === note).map(({ was }) => was)
}

function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return json.length > MAX_VALUE ? `${json.slice(0, MAX_VALUE)}…` : json
}

/**
 * The name that was probably intended: one with almost the same spelling, or else one that shares a
 * word.
 */
function similarName(wrong: string, names: readonly string[]): string | undefined {
  const [close] = nearest(wrong, names)
  if (close !== undefined) return close
  const words = wordsOf(wrong)
  return names.find((name) => wordsOf(name).some((word) => words.includes(word)))
}

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, MAX_NAME)
    .split(/[^a-zA-Z0-9]|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2)
}
