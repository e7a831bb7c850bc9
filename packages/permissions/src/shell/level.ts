import { notPlain, readArguments, type Argument, type Option } from './option.ts'
import type { Usage } from './program.ts'
import { findReaches, furthest, type Reach } from './reach.ts'

/** A program or one of its subcommands that the words name: `git`, `git remote`, `git remote show`. */
export interface Level {
  readonly usage: Usage
  /** The index of its first word, and the index after its last. */
  readonly from: number
  readonly to: number
  /** Why its subcommand is not known to be plain, and which word names it. */
  readonly unknown?: Reach
}

const UNKNOWN = 'is unknown until it runs'
const UNLISTED: Usage = { operands: { rest: 'mention' }, open: true }

/** The levels of a command. The remaining words belong to the last one. */
export function levels(words: readonly (string | undefined)[], usage: Usage, from = 1): Level[] {
  if (!usage.commands) return [{ usage, from, to: words.length }]
  const given = readArguments(words, usage, { from, early: true })
  const named = given.find((argument) => argument.type === 'operand')
  if (!named) return [{ usage, from, to: words.length }]
  const inner =
    named.value === undefined || !Object.hasOwn(usage.commands, named.value)
      ? undefined
      : usage.commands[named.value]
  const unsure = given.find((argument) => argument.type === 'option' && mayTake(argument, usage))
  if (inner) {
    const why = unsure
      ? `may read ${named.value} as the value of an option`
      : inner.stated && `\`${named.value}\` ${inner.stated}`
    const outer = { usage, from, to: named.at, unknown: why ? { why, word: named.at } : undefined }
    return [outer, ...levels(words, inner, named.at + 1)]
  }
  // If other words are no subcommands, they are operands.
  const asksFor = usage.asksFor && named.at === words.length - 1
  if ((usage.otherwise === undefined || asksFor) && named.value !== undefined)
    return [{ usage, from, to: words.length }]
  const why = `${named.value === undefined ? 'its subcommand' : `\`${named.value}\``} ${usage.otherwise ?? UNKNOWN}`
  return [
    { usage, from, to: named.at, unknown: { why, word: named.at } },
    {
      usage: { ...UNLISTED, ...(usage.wrapper && { wrapper: usage.wrapper }) },
      from: named.at,
      to: words.length,
    },
  ]
}

/** Whether an option may take the next word as its value, although no table lists that. The subcommand is then another one. */
const mayTake = (option: Option, usage: Usage): boolean =>
  option.valueAt === undefined && notPlain(option, usage) !== undefined

/** Why a command does more than its program's name says, at any of its levels. */
export const reachOf = (
  words: readonly (string | undefined)[],
  found: readonly Level[],
  known: boolean,
): Reach | undefined => furthest(reachesOf(words, found, known))

/** All reasons why a command does more than its program's name says. */
export function reachesOf(
  words: readonly (string | undefined)[],
  found: readonly Level[],
  known: boolean,
): readonly Reach[] {
  const outer = found[0]!.usage
  return found.flatMap(({ usage, from, to, unknown }, at) => {
    const named = at < found.length - 1
    const own = to < words.length ? words.slice(0, to) : words
    const reaches = findReaches(own, usage, { from, known, outer, named })
    return unknown ? [unknown, ...reaches] : reaches
  })
}

/** The arguments of the last level. */
export const argumentsOf = (
  words: readonly (string | undefined)[],
  { usage, from }: Level,
): Argument[] => readArguments(words, usage, { from })
