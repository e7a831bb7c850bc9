import { args as argumentsHole, name, output, wire } from './draw.ts'
import { parse } from './engine.ts'
import { checkText, type ParserOptions } from './options.ts'
import type { Protocol, Schema } from './protocol.ts'
import type { Call } from './reply.ts'
import { requiredOf } from './schema/property.ts'

/** Arguments that were read without a call around them. */
export type ParsedArguments = Pick<Call, 'args' | 'complete' | 'repairs' | 'details'>

/** Options for `parseArguments`. */
export interface ParseArgumentsOptions extends Pick<ParserOptions, 'details'> {
  /** Repair the arguments. Each repair is named. Default: true. */
  readonly repairs?: boolean | undefined
}

/**
 * Parses arguments without a call around them: a JSON object, possibly broken, in a code fence or
 * in a string. Repairs and types (by the JSON Schema of an object) are the same as in a call. The
 * arguments are complete only if their object is closed. Returns undefined if the text contains
 * anything besides one object.
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
  // Of two opening brackets, the reader used the second.
  const isOpen = DOUBLE.test(written) && !rest.includes('}')
  // The reader's text may be only a part of the given text, so places are moved by this offset.
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
/** A mark that no text contains by chance. */
const OPENING = '\ue000\ue001\ue000'

/**
 * The shortest call around arguments. It has no closing mark, so only the arguments themselves show
 * whether they are closed.
 */
const alone: Protocol = {
  id: 'arguments',
  call: wire`${OPENING}${name}:${argumentsHole}`,
  result: wire`${output}`,
}

/** Stray text that may follow a closed object. */
const STRAY = /^[\s,}]*$/

const DOUBLE = /^\{\s*\{/

/**
 * Returns the object in the text's only code fence, which may be cut off. Undefined if the text is
 * itself an object.
 */
function fencedIn(text: string): string | undefined {
  if (/^\s*[{"]/.test(text)) return undefined
  const [, content, ...rest] = text.split('```')
  const from = content?.indexOf('{') ?? -1
  if (content === undefined || from < 0 || rest.length > 1) return undefined
  return /^[\w-]*\s*$/.test(content.slice(0, from)) ? content.slice(from) : undefined
}

/** The text in a JSON string: models sometimes encode arguments as a string of JSON. */
function encodedIn(json: string): string | undefined {
  if (!json.trimStart().startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    // The text is not a JSON string, or it is incomplete.
    return undefined
  }
}
