import { printPrompt, type Protocol, type ToolDefinition } from '@toolglot/core'
import { estimateTokens } from '../model/estimate-tokens.ts'
import type { CompactLevel } from './compact-schema.ts'
import { compactTools } from './compact-tools.ts'

/** What tools have to fit into. */
export interface FitOptions {
  /** The protocol that they are printed in; undefined if they are sent with the request. */
  readonly protocol: Protocol | undefined
  /** The size of the model's context, in tokens; undefined if it is unknown, so that everything fits. */
  readonly contextTokens: number | undefined
  /** The tokens of everything else in the prompt. */
  readonly otherTokens: number
  /** How compact they are at least. Default: 0. */
  readonly minLevel?: CompactLevel
  /** The share of the context that they should not exceed. Default: a half. */
  readonly share?: number
  /** Whether the last tools may be left out if even the most compact definitions take too much. Default: false. */
  readonly mayLeaveOut?: boolean
  /** Whether a tool stays as long as any other does. Default: none. */
  readonly isNeeded?: (tool: ToolDefinition) => boolean
}

/** The tools that a model is told about. */
export interface FittedTools {
  readonly tools: readonly ToolDefinition[]
  /** How compact they are; 0 if they are as they were. */
  readonly level: CompactLevel
  /** About how many tokens they take. */
  readonly tokens: number
}

/**
 * The least compact definitions that leave room for the conversation and a reply. If none do, the most compact ones; and if
 * those take more than half of the context, as many of the first ones as do not.
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
    // A schema says more than a signature, and some protocols print signatures anyway.
    if (level < 3 || (protocol && next.tokens < fitted.tokens * WORTHWHILE)) fitted = next
  }
  const room = roomIn(1 / 2, Math.min(REPLY_TOKENS, contextTokens / 4))
  return mayLeaveOut && fitted.tokens > room
    ? firstTools(fitted, { protocol, room, isNeeded })
    : fitted
}

const MORE_COMPACT: readonly CompactLevel[] = [1, 2, 3]

/** What a reply needs if it is to be long. */
const REPLY_TOKENS = 2000

/** The share of the tokens that signatures may still take, to be used instead of schemas. */
const WORTHWHILE = 0.75

type Levels = (level: CompactLevel) => FittedTools

const known = new WeakMap<readonly ToolDefinition[], { protocol?: Protocol; levels: Levels }>()

/** The levels of a list of tools, each made once. */
function levelsOf(tools: readonly ToolDefinition[], protocol: Protocol | undefined): Levels {
  const before = known.get(tools)
  if (before && before.protocol === protocol) return before.levels
  const made: FittedTools[] = []
  const levels: Levels = (level) => {
    const compact = made[level]?.tools ?? compactTools(tools, level)
    return (made[level] ??= { tools: compact, level, tokens: tokensOf(compact, protocol) })
  }
  known.set(tools, { ...(protocol && { protocol }), levels })
  return levels
}

const firsts = new WeakMap<readonly ToolDefinition[], FittedTools>()

/** The first tools that fit into so many tokens, with those that are needed. */
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
