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
}

/** The tools that a model is told about. */
export interface FittedTools {
  readonly tools: readonly ToolDefinition[]
  /** How compact they are; 0 if they are as they were. */
  readonly level: CompactLevel
  /** About how many tokens they take. */
  readonly tokens: number
}

/** The least compact definitions that leave room for the conversation and a reply; the most compact ones if none do. */
export function fitTools(tools: readonly ToolDefinition[], options: FitOptions): FittedTools {
  const { protocol, contextTokens = Infinity, otherTokens, minLevel = 0 } = options
  const room = Math.max(0, Math.min(contextTokens / 2, contextTokens - otherTokens - REPLY_TOKENS))
  const levels = levelsOf(tools, protocol)
  const fitting = LEVELS.find((level) => level >= minLevel && levels(level).tokens <= room)
  return levels(fitting ?? 2)
}

const LEVELS: readonly CompactLevel[] = [0, 1, 2]

/** What a reply needs at least. */
const REPLY_TOKENS = 2000

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

function tokensOf(tools: readonly ToolDefinition[], protocol: Protocol | undefined): number {
  if (tools.length === 0) return 0
  return estimateTokens(protocol ? printPrompt(protocol, tools) : JSON.stringify(tools))
}
