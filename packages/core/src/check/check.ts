import type { Examples, Protocol, ToolDefinition } from '../protocol.ts'
import { type Context, laws } from './laws.ts'
import { toolsOf } from './tools-of.ts'

/** How a protocol keeps one law. */
export interface LawReport {
  readonly law: string
  /** On how many texts it was tried. */
  readonly tried: number
  /** What broke it, the first few. */
  readonly failures: readonly Failure[]
  /** It need not be kept, but it is good to know. */
  readonly advice: boolean
}

export interface Failure {
  /** The example or text that shows it. */
  readonly on: string
  readonly problem: string
}

export interface CheckOptions {
  readonly examples: Examples
  /** The tools of the examples; made from their calls, if not told. */
  readonly tools?: readonly ToolDefinition[]
  /** How many texts thrown together from its marks are tried; 400 if not told. */
  readonly texts?: number
}

/** Tries a protocol against its examples and against the laws that every protocol keeps. */
export function checkProtocol(protocol: Protocol, options: CheckOptions): LawReport[] {
  const { examples, tools = toolsOf(examples), texts = 400 } = options
  const context: Context = { protocol, tools, examples: Object.entries(examples), texts }
  return laws.map(({ law, advice = false, tries }) => {
    const failures: Failure[] = []
    let tried = 0
    const fail = (on: string, problem: string): void => {
      if (failures.length < MAX_FAILURES) failures.push({ on, problem })
    }
    try {
      for (const { on, problem } of tries(context)) {
        tried++
        if (problem !== undefined) fail(on, problem)
      }
    } catch (error) {
      // Code of the protocol's own, such as its prompt.
      fail('', `it throws ${String(error)}`)
    }
    return { law, tried, failures, advice }
  })
}

const MAX_FAILURES = 3

/** Why a value is no protocol; undefined: it is one, as far as its shape tells. */
export function protocolProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not an object'
  const given = value as Partial<Record<string, unknown>>
  for (const [key, expected, test] of PARTS) {
    if (!test(given[key])) return `expected ${key} to be ${expected}`
  }
  return undefined
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isWire = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isPart)
const isPart = (value: unknown): boolean =>
  isText(value) || (typeof value === 'object' && value !== null)

const PARTS: readonly [key: string, expected: string, test: (value: unknown) => boolean][] = [
  [
    'id',
    'a name of small letters, digits, dots and dashes',
    (value) => isText(value) && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value as string),
  ],
  ['about', 'a text', isText],
  ['call', 'a picture: wire`…`', isWire],
  ['result', 'a picture: wire`…`', isWire],
  ['prompt', 'a function', (value) => typeof value === 'function'],
]
