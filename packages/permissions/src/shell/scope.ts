import type { ParsedScript, Word } from 'unbash'
import type { Operation } from '../decide/operation.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import {
  type PrintedNames,
  type CommandOutcome,
  type PossibleFolders,
  changesBefore,
  staleAt,
  type Change,
  type Changes,
  type Place,
  type Stale,
} from './outcome.ts'
import type { Usage } from './program.ts'
import { holdsRepository } from './same-repository.ts'
import type { ShellCommand } from './script.ts'

/** The findings in the whole text so far. */
export interface Findings {
  readonly commands: ShellCommand[]
  readonly operations: Operation[]
  readonly doubts: Set<string>
  /** Why the parser may have read the text differently than bash would. It is not printed then. */
  misread: string | undefined
  /** The text, parsed. */
  script: ParsedScript | undefined
  /** The variables that the text has set so far. */
  readonly assigned: Set<string>
  /** Those of them that may not have been set when they are used: the command did not run, or ran in another shell. */
  readonly unsure: Set<string>
  /** The words and scripts that were judged. Nothing else is printed. */
  readonly judged: Set<object>
  /** The words that braces or a pattern of file names stand for. */
  readonly expanded: Map<Word, readonly string[]>
  /** How many more names of files patterns are compared with. */
  readonly names: { left: number }
  /** It has patterns of file names, expanded or not. */
  patterns: boolean
  /** The folders from which `pushd` went elsewhere. */
  readonly left: PossibleFolders[]
  /** The files that it may change. */
  readonly changes: Change[]
  /** Parts of it run at the same time. */
  concurrent: boolean
  /** How many turns of loops were judged. */
  turns: number
  /** How many commands were walked. */
  walked: number
  /** The folders that its commands run in; undefined: an unknown one. */
  readonly visited: Set<string | undefined>
  /** The paths that it moves elsewhere; undefined: an unknown one. */
  readonly moved: Set<string | undefined>
  /** The folders in which patterns were expanded. */
  readonly compared: Operation[]
}

/** The context of a command in a text. */
export interface Scope {
  readonly fileSystem: SearchableFileSystem
  readonly found: Findings
  readonly source: string
  readonly folders: PossibleFolders
  /** Whether positions in `source` are positions in the text that runs, so that changes before them are known. */
  readonly editable: boolean
  /** The variables of loops, with their value in this turn if it is known. */
  readonly variables: ReadonlyMap<string, string | undefined>
  readonly depth: number
  /** It certainly runs, in the shell itself and not in another one. */
  readonly certain: boolean
  /** Where it is in the text that runs. */
  readonly place: Place
  /** The files that the whole text may change, as far as is known. */
  readonly changes: Changes
  /** The command that runs this text. */
  readonly within: ShellCommand | undefined
  /** It reads from a pipe. */
  readonly piped: boolean
  /** It has input, from a pipe or a redirection. */
  readonly fed: boolean
  /** The input, if roughly known; for deny rules. */
  readonly input: string | undefined
  /** The file names in the input; undefined if unknown. */
  readonly names: PrintedNames | undefined
  /** Analyzes a text as a separate script. */
  readonly read: (text: string, scope: Scope) => CommandOutcome
}

const MAX = 500
const MAX_WALKED = 2 * MAX
const DEEPEST = 24

/** The scope without the file names in its input. */
export const withoutInputNames = (scope: Scope): Scope =>
  scope.names === undefined ? scope : { ...scope, names: undefined }

/** The facts that may be outdated when a command of this scope runs. A text within the text has no place of its own. */
export const staleIn = ({ changes, place, editable }: Scope): Stale | undefined =>
  staleAt(changes, place, !editable)

/**
 * Whether git may run in a repository that the text has made it track: a command that looks into it, one that checks it
 * out itself, or a second commit.
 */
export const mayRunInTracked = (
  { changes, place, editable, fileSystem }: Scope,
  { tracks, shallow }: Usage,
  checksOut: boolean,
): boolean => {
  if (shallow) return false
  const before = changesBefore(changes, place, !editable).map((change) => change.tracks)
  const isAfterCheckout = before.includes('checks-out')
  const held =
    isAfterCheckout || checksOut
      ? fileSystem.roots.map((root) => holdsRepository(root, fileSystem))
      : []
  const isTold =
    before.includes('adds') || held.includes(true) || (isAfterCheckout && held.includes(undefined))
  return isTold && (tracks !== 'commits' || before.includes('commits'))
}

/** The scope of a part of the text. */
export function placed(scope: Scope, { pos, end }: { pos: number; end: number }): Scope {
  if (!scope.editable) return scope
  const { group, repeats } = scope.place
  return { ...scope, place: { at: pos, end, group, repeats } }
}

/** The scope of a loop, or of a pipeline, whose parts run more than once or at the same time. */
export function grouped(scope: Scope, start: number, repeats: boolean): Scope {
  if (!scope.editable) return scope
  const { at, end, group = start, repeats: isRepeated } = scope.place
  return { ...scope, place: { at, end, group, repeats: repeats || isRepeated } }
}

/** Remembers that a command may change something. */
export function addChange(
  { found, place }: Scope,
  { fills = false, tracks }: Partial<Pick<Change, 'fills' | 'tracks'>> = {},
): void {
  const { at, group = at, repeats } = place
  const last = found.changes.at(-1)
  // A command with thousands of files is one change: each file is compared with every change.
  const isSame = last?.at === at && last.from === group && last.repeats === repeats
  if (isSame && last.fills === fills && last.tracks === tracks) return
  found.changes.push({ at, from: group, repeats, fills, tracks })
}

/** Adds a doubt about the reading of the text as a whole. */
export function addMisread({ found }: Scope, why: string): void {
  found.doubts.add(why)
  found.misread ??= why
}

/** From now on, a variable has some value of this text. */
export function assign({ found, certain }: Scope, name: string): void {
  if (!certain && !found.assigned.has(name)) found.unsure.add(name)
  found.assigned.add(name)
}

/** Counts a command. False, with a doubt, if there are too many, counting each turn of a loop. */
export function mayWalk({ found }: Scope): boolean {
  if (++found.walked <= MAX_WALKED) return true
  found.doubts.add(`has more than ${MAX} commands`)
  return false
}

/** Adds a command, unless there are too many. */
export function add({ found }: Scope, command: ShellCommand): void {
  if (found.commands.length < MAX) found.commands.push(command)
  else found.doubts.add(`has more than ${MAX} commands`)
}

/** Counts a turn of a loop. False, with a doubt, if all loops together have too many. */
export function takesTurn({ found }: Scope): boolean {
  if (++found.turns <= MAX) return true
  found.doubts.add(`has loops with more than ${MAX} turns`)
  return false
}

/** A nested scope; undefined, with a doubt, if it is nested too deeply. */
export function nested(scope: Scope, change?: Partial<Scope>): Scope | undefined {
  const depth = scope.depth + 1
  if (depth <= DEEPEST) return change ? { ...scope, ...change, depth } : { ...scope, depth }
  scope.found.doubts.add(`is nested more than ${DEEPEST} levels deep`)
  return undefined
}

/** About as many words as fit into the longest text that is analyzed. */
const MAX_GUESSES = 6000
const LONGEST = 24

/**
 * All commands that a text may contain, however it is parsed: it is split at everything that separates commands, quotes are
 * removed, and every word may start a command. For deny rules, when the text can't be analyzed.
 */
export function guessCommands(text: string): string[][] {
  const found = new Map<string, string[]>()
  const bare = text
    .slice(0, 200_000)
    .replaceAll('\\\n', '')
    .replace(/['"\\\0]/g, '')
  for (const piece of bare.split(/[;&|\n\r()`{}<>]|\$\(/)) {
    const words = piece.split(/\s+/).filter(Boolean)
    for (let at = 0; at < words.length && found.size < MAX_GUESSES; at++) {
      const command = words.slice(at, at + LONGEST)
      found.set(command.slice(0, 6).join(' '), command)
    }
  }
  return [...found.values()]
}
