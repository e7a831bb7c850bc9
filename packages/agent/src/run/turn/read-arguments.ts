import { type Call, parse, type Schema } from '@toolglot/core'
import { mistral } from '@toolglot/core/protocols/mistral'

/** Arguments that came as JSON, without a call around them. */
export type ReadArguments = Pick<Call, 'args' | 'repairs' | 'complete'>

/**
 * Reads the arguments of a call that came as JSON by themselves, and repairs and types them like those of any call. They are
 * complete only if their object is closed, however the reply ended. Returns undefined for anything but one object.
 */
export function readArguments(
  json: string,
  { parameters, repairs: mayRepair = true }: ArgumentsOptions,
): ReadArguments | undefined {
  const written = (encodedIn(json) ?? json).trim()
  if (written === 'null' && mayRepair && !hasRequired(parameters))
    return { args: {}, repairs: ['null-arguments'], complete: true }
  // In this protocol, arguments are followed by nothing: whether they are closed, only they say.
  const text = `[TOOL_CALLS]${NAME}[ARGS]${written}`
  const [call, ...others] = parse(text, {
    protocols: mistral,
    tools: [{ name: NAME, ...(parameters && { parameters }) }],
    repairs: mayRepair,
    finish: 'length',
  }).calls
  if (!call || call.span[0] !== 0 || others.length > 0) return undefined
  const { args, complete } = call
  const rest = text.slice(call.span[1])
  const isStray = rest.trim() !== ''
  if (isStray && !(mayRepair && STRAY.test(rest))) return undefined
  const repairs = new Set(call.repairs)
  if (rest.includes('}')) repairs.add('extra-bracket')
  if (rest.includes(',')) repairs.add('trailing-comma')
  // Of two brackets that open it, the second is the one that was read.
  const isOpen = DOUBLE.test(written) && !rest.includes('}')
  return { args, repairs: [...repairs], complete: complete && !isOpen }
}

interface ArgumentsOptions {
  /** The JSON Schema of the arguments. */
  readonly parameters?: Schema | undefined
  /** Whether they are repaired. Default: true. */
  readonly repairs?: boolean | undefined
}

const NAME = 'tool'

/** What may follow a closed object: it can only be a slip. */
const STRAY = /^[\s,}]*$/

const DOUBLE = /^\{\s*\{/

/** The text in a JSON string: models also write arguments as a string with JSON in it. */
function encodedIn(json: string): string | undefined {
  if (!json.trimStart().startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    // It is not a JSON string, or not a whole one.
    return undefined
  }
}

function hasRequired(parameters: Schema | undefined): boolean {
  const required = parameters?.['required']
  return Array.isArray(required) && required.length > 0
}
