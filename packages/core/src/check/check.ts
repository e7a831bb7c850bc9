// Folder: Checks of a custom protocol.
import { indexOfBuiltIn } from '../built-in.ts'
import { familyOf } from '../families.ts'
import { promptOf } from '../prompts.ts'
import type { Examples, Protocol, ToolDefinition } from '../protocol.ts'
import { type Context, laws } from './laws.ts'
import { toolsOf } from './tools-of.ts'

/** The result of testing a protocol against one law. */
export interface LawReport {
  readonly law: string
  /** The number of inputs tried. */
  readonly tried: number
  /** The first few inputs that broke the law. */
  readonly failures: readonly Failure[]
  /** True if the law is only advice, which a protocol may ignore. */
  readonly advice: boolean
}

/** An input that breaks a law, with the reason. */
export interface Failure {
  /** The title of the example, or the text. */
  readonly on: string
  readonly problem: string
}

/** The inputs of `checkProtocol`. */
export interface CheckOptions {
  readonly examples: Examples
  /** The tools called in the examples. Default: derived from their calls. */
  readonly tools?: readonly ToolDefinition[] | undefined
  /** The number of random inputs to try, built from the protocol's marks. Default: 400. */
  readonly texts?: number | undefined
}

/** Tests a protocol against its examples and against the laws for all protocols. */
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
      // Thrown by the protocol's own code, such as its prompt.
      fail('', `it throws ${String(error)}`)
    }
    return { law, tried, failures, advice }
  })
}

const MAX_FAILURES = 3

/** The reason why a value is not a protocol, or undefined if it has the shape of one. */
export function protocolProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not an object'
  const given = value as Protocol
  // A copy of a built-in protocol shares its family and its prompt.
  const parts: Partial<Record<string, unknown>> = {
    ...(indexOfBuiltIn(given) >= 0 && familyOf(given)),
    ...given,
  }
  for (const [key, expected, test] of PARTS) {
    if (!test(parts[key])) return `${key} must be ${expected}`
  }
  const prompt: unknown = promptOf(given)
  return prompt === undefined || typeof prompt === 'function'
    ? undefined
    : 'prompt must be a function'
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isWire = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isPart)
const isPart = (value: unknown): boolean =>
  isText(value) || (typeof value === 'object' && value !== null)

const PARTS: readonly [key: string, expected: string, test: (value: unknown) => boolean][] = [
  [
    'id',
    'a name of lowercase letters, digits, dots and dashes',
    (value) => isText(value) && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value as string),
  ],
  ['about', 'a string', (value) => value === undefined || isText(value)],
  ['call', 'a picture: wire`…`', isWire],
  ['result', 'a picture: wire`…`', isWire],
]
