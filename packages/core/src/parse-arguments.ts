import { args as argumentsHole, name, output, wire } from './draw.ts'
import { parse } from './engine.ts'
import { checkText, type ParserOptions } from './options.ts'
import type { Protocol, Schema } from './protocol.ts'
import type { Call } from './reply.ts'
import { requiredOf } from './schema/property.ts'

/** Arguments that were read on their own. */
export type ParsedArguments = Pick<Call, 'args' | 'complete' | 'repairs' | 'details'>

/** How to read them. */
export interface ParseArgumentsOptions extends Pick<ParserOptions, 'details'> {
  /** Whether to repair them. Each repair is named. Default: true. */
  readonly repairs?: boolean | undefined
}

/**
 * Reads arguments that came on their own: an object in JSON, broken or not, that may be in a code fence or in a string. They are
 * repaired, and typed by the JSON Schema of an object, like those of any call. They are complete only if their object is
 * closed. Undefined: the text contains anything but one object.
 */
export function parseArguments(
  text: string,
  schema?: Schema,
  { repairs: mayRepair = true, details }: ParseArgumentsOptions = {},
): ParsedArguments | undefined {
  checkText('the arguments', text)
  const fenced = mayRepair ? fencedIn(text) : undefined
  const json = fenced ?? text
  const written = (encodedIn(json) ?? json).trim()
  if (written === '') return undefined
  const before = fenced === undefined ? [] : ['fence']
  if (written === 'null' && mayRepair && !requiredOf(schema)[0])
    return { args: {}, repairs: [...before, 'null-arguments'], complete: true }
  const head = `${OPENING}${NAME}:`
  const [call, ...others] = parse(head + written, {
    protocols: alone,
    tools: [{ name: NAME, ...(schema && { parameters: schema }) }],
    repairs: mayRepair,
    details,
    finish: 'stop',
  }).calls
  if (!call || call.span[0] !== 0 || others.length > 0) return undefined
  const rest = written.slice(call.span[1] - head.length)
  const isStray = rest.trim() !== ''
  if (isStray && !(mayRepair && STRAY.test(rest))) return undefined
  const repairs = new Set([...before, ...call.repairs])
  if (rest.includes('}')) repairs.add('extra-bracket')
  if (rest.includes(',')) repairs.add('trailing-comma')
  // Of two brackets that open it, the second is the one that was read.
  const isOpen = DOUBLE.test(written) && !rest.includes('}')
  // The text that was read differs from the given one: places are known only if it is a part of it.
  const moved = text.indexOf(written) - head.length
  return {
    args: call.args,
    complete: call.complete && !isOpen,
    repairs: [...repairs],
    ...(call.details && {
      details: call.details.map(({ span: [from, to], ...detail }) => ({
        ...detail,
        span: [Math.max(from + moved, 0), Math.max(to + moved, 0)] as const,
      })),
    }),
  }
}

const NAME = 'tool'
/** No text contains this by chance. */
const OPENING = '\ue000\ue001\ue000'

/** The shortest call around arguments. Nothing follows them: whether they are closed, only they say. */
const alone: Protocol = {
  id: 'arguments',
  call: wire`${OPENING}${name}:${argumentsHole}`,
  result: wire`${output}`,
}

/** Text that may follow a closed object: it can only be a slip. */
const STRAY = /^[\s,}]*$/

const DOUBLE = /^\{\s*\{/

/** The object in the only code fence of a text that is not an object itself. The fence may be cut. */
function fencedIn(text: string): string | undefined {
  if (/^\s*[{"]/.test(text)) return undefined
  const [, content, ...rest] = text.split('```')
  const from = content?.indexOf('{') ?? -1
  if (content === undefined || from < 0 || rest.length > 1) return undefined
  return /^[\w-]*\s*$/.test(content.slice(0, from)) ? content.slice(from) : undefined
}

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
