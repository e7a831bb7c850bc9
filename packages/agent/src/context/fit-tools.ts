import { printPrompt, type Protocol, type ToolDefinition, type Schema } from '@toolglot/core'
import { canonicalJson } from '@toolglot/permissions/internal'
import { estimateTokens } from '../model/estimate-tokens.ts'
import { type CompactLevel, compactSchema, firstSentence, shortText } from './compact-schema.ts'
import { isObject } from '../tool/json-schema.ts'

/** The space available for tools. */
interface FitOptions {
  /** The protocol for describing the tools. Undefined if they are sent with the request. */
  readonly protocol: Protocol | undefined
  /** The size of the model's context, in tokens. Undefined if unknown; then all tools fit. */
  readonly contextTokens: number | undefined
  /** The number of tokens in the rest of the prompt. */
  readonly otherTokens: number
  /** The minimum compactness. Default: 0. */
  readonly minLevel?: CompactLevel
  /** The maximum share of the context for the tools. Default: a half. */
  readonly share?: number
  /**
   * Leave out the last tools if even the most compact definitions are too large. Default: false.
   */
  readonly mayLeaveOut?: boolean
  /** Returns true for tools to leave out last. Default: none. */
  readonly isNeeded?: (tool: ToolDefinition) => boolean
}

/** The tools in a prompt. */
export interface FittedTools {
  readonly tools: readonly ToolDefinition[]
  /** The level of their definitions; 0 if unchanged. */
  readonly level: CompactLevel
  /** The approximate size of the tools, in tokens. */
  readonly tokens: number
}

/**
 * Returns the least compact definitions that leave room for the conversation and a reply, or else
 * the most compact ones. If these take more than half of the context, only the first tools are
 * returned.
 */
export function fitTools(tools: readonly ToolDefinition[], options: FitOptions): FittedTools {
  const { protocol, contextTokens = Infinity, otherTokens } = options
  const { minLevel = 0, share = 1 / 2, mayLeaveOut = false, isNeeded = () => false } = options
  const roomIn = (most: number, reply: number): number =>
    Math.max(0, Math.min(contextTokens * most, contextTokens - otherTokens - reply))
  const levels = levelsOf(tools, protocol)
  let fitted = levels(minLevel)
  for (const level of MORE_COMPACT) {
    if (level <= minLevel) continue
    if (fitted.tokens <= roomIn(share, REPLY_TOKENS)) return fitted
    const next = levels(level)
    // Schemas are more precise than signatures, and some protocols always print signatures, so a
    // signature must save enough tokens.
    if (level < 3 || (protocol && next.tokens < fitted.tokens * WORTHWHILE)) fitted = next
  }
  const room = roomIn(1 / 2, Math.min(REPLY_TOKENS, contextTokens / 4))
  return mayLeaveOut && fitted.tokens > room
    ? firstTools(fitted, { protocol, room, isNeeded })
    : fitted
}

const MORE_COMPACT: readonly CompactLevel[] = [1, 2, 3]

/** The number of tokens in a long reply. */
const REPLY_TOKENS = 2000

/** Signatures replace schemas only if they take less than this share of the tokens. */
const WORTHWHILE = 0.75

type Levels = (level: CompactLevel) => FittedTools

const known = new WeakMap<readonly ToolDefinition[], { protocol?: Protocol; levels: Levels }>()

/** The levels of a list of tools, each computed once. */
function levelsOf(tools: readonly ToolDefinition[], protocol: Protocol | undefined): Levels {
  const before = known.get(tools)
  if (before && before.protocol === protocol) return before.levels
  const made: FittedTools[] = []
  const levels: Levels = (level) => {
    const compact = made[level]?.tools ?? compactTools(tools, level)
    return (made[level] ??= { tools: compact, level, tokens: tokensOf(compact, protocol) })
  }
  known.set(tools, { protocol, levels })
  return levels
}

const firsts = new WeakMap<readonly ToolDefinition[], FittedTools>()

/** The first tools that fit in this number of tokens, plus the needed ones. */
function firstTools(
  { tools, level }: FittedTools,
  {
    protocol,
    room,
    isNeeded,
  }: Required<Pick<FitOptions, 'isNeeded'>> & {
    readonly protocol: Protocol | undefined
    readonly room: number
  },
): FittedTools {
  const others = tools.filter((tool) => !isNeeded(tool))
  const first = (count: number): readonly ToolDefinition[] => {
    const chosen = new Set(others.slice(0, count))
    return count === 0 ? [] : tools.filter((tool) => chosen.has(tool) || isNeeded(tool))
  }
  let count = 0
  for (let over = others.length + 1; over - count > 1;) {
    const middle = Math.floor((count + over) / 2)
    if (tokensOf(first(middle), protocol) <= room) count = middle
    else over = middle
  }
  const fitting = first(count)
  const before = firsts.get(tools)
  if (before?.tools.length === fitting.length) return before
  const fitted = { tools: fitting, level, tokens: tokensOf(fitting, protocol) }
  firsts.set(tools, fitted)
  return fitted
}

function tokensOf(tools: readonly ToolDefinition[], protocol: Protocol | undefined): number {
  if (tools.length === 0) return 0
  return estimateTokens(protocol ? printPrompt(protocol, tools) : JSON.stringify(tools))
}

/**
 * Shortens the definitions of tools for a model with a small context. Level 1 shortens long
 * descriptions. Level 2 keeps only the parts needed for a call. Level 3 replaces the schema with a
 * short signature, for tools described in the text of a prompt. Calls are still read with the whole
 * definitions.
 */
export function compactTools(
  tools: readonly ToolDefinition[],
  level: CompactLevel,
): readonly ToolDefinition[] {
  if (level === 0) return tools
  return tools.map((tool) => {
    const short = level === 3 ? withSignature(tool) : withShortSchema(tool, level)
    wholes.set(short, wholes.get(tool) ?? tool)
    return short
  })
}

/** The whole definitions of tools that may be compact. */
export function wholeTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  if (!tools.some((tool) => wholes.has(tool))) return tools
  let known = lists.get(tools)
  if (!known) lists.set(tools, (known = tools.map((tool) => wholes.get(tool) ?? tool)))
  return known
}

const wholes = new WeakMap<ToolDefinition, ToolDefinition>()
const lists = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>()

function withShortSchema(tool: ToolDefinition, level: CompactLevel): ToolDefinition {
  const { name, description, parameters } = tool
  return {
    name,
    ...(description !== undefined && { description: shortDescription(description, level) }),
    ...(parameters && { parameters: compactSchema(parameters, level) }),
  }
}

function withSignature({ name, description, parameters }: ToolDefinition): ToolDefinition {
  const about = description === undefined ? '' : ` ${shortDescription(description, 3)}`
  return { name, description: `${shortSignature(parameters)}${about}` }
}

function shortDescription(text: string, level: CompactLevel): string {
  return level === 1 ? shortText(text, 400) : firstSentence(text, 120)
}

/**
 * The parameters of a tool as a one-line signature: `(file_path, limit?: integer, mode?: a | b)`.
 * The type of strings is omitted.
 */
function shortSignature(parameters: Schema | undefined): string {
  return `(${parameters ? fieldsOf(parameters, 0) : ''})`
}

function fieldsOf(schema: Schema, depth: number): string {
  const { properties, required } = schema
  if (!isObject(properties)) return ''
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return Object.entries(properties)
    .map(([name, value]) => {
      const type = isObject(value) ? typeOf(value, depth + 1) : ''
      return `${name}${isRequired(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`
    })
    .join(', ')
}

/** A short name of a type. Empty for strings, and for types that are too deep or unusual. */
function typeOf(schema: Schema, depth: number): string {
  const { type, items, enum: choices } = schema
  if (Array.isArray(choices) && choices.length <= MAX_CHOICES)
    return choices
      .map((choice) => (typeof choice === 'string' ? choice : canonicalJson(choice)))
      .join(' | ')
  if (type === 'array')
    return `${isObject(items) && depth < MAX_DEPTH ? typeOf(items, depth) || 'string' : 'any'}[]`
  if (type === 'object') {
    const fields = depth < MAX_DEPTH ? fieldsOf(schema, depth) : ''
    return fields === '' ? 'object' : `{${fields}}`
  }
  const named = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string')
  return named.every((each) => each === 'string') ? '' : named.join(' | ')
}

const MAX_DEPTH = 5
const MAX_CHOICES = 20
