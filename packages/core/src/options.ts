import type { Protocol, ToolDefinition, WrappedTool } from './protocol.ts'
import type { Recorder } from './read/recorder.ts'
import type { ProtocolId } from './registry.ts'
import type { Finish } from './reply.ts'

/** Creates a recorder, which describes each repair in detail. */
export type Details = () => Recorder

/** Options for reading a reply. */
export interface ParserOptions {
  /** The protocols the model may write, as objects or ids. Default: all built-in protocols. */
  readonly protocols?: Protocol | ProtocolId | readonly (Protocol | ProtocolId)[] | undefined
  /**
   * True if the model may write any protocol, so that calls without marks count only when they are
   * unambiguous. Default: true if no protocols are given. Set it when you pass your own protocol
   * together with all others.
   */
  readonly auto?: boolean | undefined
  /** The available tools. Their names identify calls; their schemas give each argument its type. */
  readonly tools?: readonly (ToolDefinition | WrappedTool)[] | undefined
  /** The beginning of the reply that is already in the prompt, such as `<think>\n`. */
  readonly prefix?: string | undefined
  /** True if the reply begins inside reasoning. */
  readonly startsInReasoning?: boolean | undefined
  /**
   * Repair calls that are slightly malformed. Each repair is listed in the call's `repairs`.
   * Default: true.
   */
  readonly repairs?: boolean | undefined
  /**
   * Records where each repair acted: pass the `details` of `@toolglot/core/details`. Default:
   * nothing is recorded.
   */
  readonly details?: Details | undefined
  /** The maximum length of a call, in characters. A longer one is malformed. Default: 4,194,304. */
  readonly maxCallLength?: number | undefined
  /** Creates an id for a call without one. Default: nine random letters and digits. */
  readonly makeId?: ((index: number) => string) | undefined
}

/** The ending of a reply. */
export interface EndOptions {
  /** The ending of the model's turn. Default: `stop`. */
  readonly finish?: Finish | undefined
}

/** Options for reading a whole reply. */
export type ParseOptions = ParserOptions & EndOptions

/** Throws a TypeError if options are invalid or a required one is missing. */
export function checkOptions(options: unknown, needed: readonly string[] = []): void {
  if (options === undefined && needed.length === 0) return
  if (typeof options !== 'object' || options === null) throw wrong('options', 'an object', options)
  const given = options as Record<string, unknown>
  for (const key of needed) {
    if (given[key] === undefined) throw wrong(key, RULES[key]![0], undefined)
  }
  for (const [key, value] of Object.entries(given)) {
    const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined
    if (!rule)
      throw new TypeError(`Unknown option "${key}". Options: ${Object.keys(RULES).join(', ')}.`)
    const [expected, test] = rule
    if (value !== undefined && !test(value)) throw wrong(`options.${key}`, expected, value)
  }
}

/** Throws a TypeError if a value is not a string. */
export function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw wrong(name, 'a string', value)
}

function wrong(name: string, expected: string, value: unknown): TypeError {
  const not = typeof value === 'string' ? `, not ${JSON.stringify(value.slice(0, 40))}` : ''
  return new TypeError(`${name} must be ${expected}${not}.`)
}

type Rule = readonly [expected: string, test: (value: unknown) => boolean]

const FINISHES: readonly unknown[] = ['stop', 'stop-string', 'length', 'broken'] satisfies Finish[]

const flag: Rule = ['a boolean', (value) => typeof value === 'boolean']

const RULES: Readonly<Record<string, Rule>> = {
  protocols: [
    'a protocol or a list of protocols (`@toolglot/core/engine` takes no ids)',
    (value) => [value].flat().length > 0 && [value].flat().every((item) => has(item, 'call')),
  ],
  tools: [
    'a list of tools, each with a name',
    (value) => Array.isArray(value) && value.every((item) => has(plain(item), 'name')),
  ],
  auto: flag,
  prefix: ['a string', (value) => typeof value === 'string'],
  startsInReasoning: flag,
  repairs: flag,
  details: ['`details` of `@toolglot/core/details`', (value) => typeof value === 'function'],
  maxCallLength: [
    'a positive whole number',
    (value) => Number.isInteger(value) && Number(value) > 0,
  ],
  makeId: ['a function', (value) => typeof value === 'function'],
  finish: [`one of ${FINISHES.join(', ')}`, (value) => FINISHES.includes(value)],
}

/**
 * Tools without the object that chat APIs wrap them in. A list without wrapped tools is returned
 * unchanged.
 */
export function plainTools(
  tools: readonly (ToolDefinition | WrappedTool)[],
): readonly ToolDefinition[] {
  return tools.some((tool) => plain(tool) !== tool) ? tools.map(plain) : (tools as ToolDefinition[])
}

function plain(tool: ToolDefinition | WrappedTool): ToolDefinition {
  return typeof tool === 'object' && tool && 'function' in tool ? tool.function : tool
}

/** True if a value has this member: a `name` that is a string, or a `call` that is a picture. */
function has(value: unknown, key: 'name' | 'call'): boolean {
  const member = (value as Partial<Record<string, unknown>> | null | undefined)?.[key]
  return key === 'name' ? typeof member === 'string' : Array.isArray(member)
}
