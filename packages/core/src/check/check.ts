import type { Examples, Protocol, ToolDefinition } from '../protocol.ts'
import { type Context, laws } from './laws.ts'
import { protocolProblem } from './shape.ts'
import { toolsOf } from './tools-of.ts'

export { protocolProblem }

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
