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

/** Findings in the whole text so far. */
export interface Findings {
  readonly commands: ShellCommand[]
  readonly operations: Operation[]
  readonly doubts: Set<string>
  /** The reason why bash may read the text differently than the parser. Then it is not printed. */
  misread: string | undefined
  /** The parsed text. */
  script: ParsedScript | undefined
  /** The variables that the text has set so far. */
  readonly assigned: Set<string>
  /**
   * The variables that may be unset when used, because the command did not run or ran in another
   * shell.
   */
  readonly unsure: Set<string>
  /** The judged words and scripts. Nothing else is printed. */
  readonly judged: Set<object>
  /** The expansions of braces and patterns of file names. */
  readonly expanded: Map<Word, readonly string[]>
  /** The number of file names that may still be compared with patterns. */
  readonly names: { left: number }
  /** True if the text has patterns of file names, expanded or not. */
  patterns: boolean
  /** The folders saved by `pushd`. */
  readonly left: PossibleFolders[]
  /** The files that the text may change. */
  readonly changes: Change[]
  /** True if parts of the text run concurrently. */
  concurrent: boolean
  /** The number of loop iterations judged. */
  turns: number
  /** The number of commands visited. */
  walked: number
  /** The folders that commands run in. Undefined represents an unknown one. */
  readonly visited: Set<string | undefined>
  /** The paths that are moved elsewhere. Undefined represents an unknown path. */
  readonly moved: Set<string | undefined>
  /** The folders in which patterns were expanded. */
  readonly compared: Operation[]
}

/** The context of a command in a shell text. */
export interface Scope {
  readonly fileSystem: SearchableFileSystem
  readonly found: Findings
  readonly source: string
  readonly folders: PossibleFolders
  /**
   * True if positions in `source` are positions in the text that runs, so that earlier changes are
   * known.
   */
  readonly editable: boolean
  /** The loop variables, with their value in this iteration if known. */
  readonly variables: ReadonlyMap<string, string | undefined>
  readonly depth: number
  /** True if the command certainly runs, and in the shell itself rather than in another one. */
  readonly certain: boolean
  /** The command's position in the text that runs. */
  readonly place: Place
  /** The files that the whole text may change, as far as known. */
  readonly changes: Changes
  /** The command that runs this text. */
  readonly within: ShellCommand | undefined
  /** True if it reads from a pipe. */
  readonly piped: boolean
  /** True if it has input from a pipe or a redirection. */
  readonly fed: boolean
  /** The approximate input, if known, for deny rules. */
  readonly input: string | undefined
  /** The file names in the input, or undefined if unknown. */
  readonly names: PrintedNames | undefined
  /** Analyzes a string as a separate script. */
  readonly read: (text: string, scope: Scope) => CommandOutcome
}

const MAX = 500
const MAX_WALKED = 2 * MAX
const DEEPEST = 24

/** The scope without the file names in its input. */
export const withoutInputNames = (scope: Scope): Scope =>
  scope.names === undefined ? scope : { ...scope, names: undefined }

/**
 * The information that may be outdated when a command in this scope runs. A nested shell text has
 * no position of its own.
 */
export const staleIn = ({ changes, place, editable }: Scope): Stale | undefined =>
  staleAt(changes, place, !editable)

/**
 * True if git may run in a repository that the text has made it track: in a command that inspects
 * it, in one that checks it out, or in a second commit.
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

/** The scope of a part of the script. */
export function placed(scope: Scope, { pos, end }: { pos: number; end: number }): Scope {
  if (!scope.editable) return scope
  const { group, repeats } = scope.place
  return { ...scope, place: { at: pos, end, group, repeats } }
}

/** The scope of a loop or pipeline, whose parts run repeatedly or concurrently. */
export function grouped(scope: Scope, start: number, repeats: boolean): Scope {
  if (!scope.editable) return scope
  const { at, end, group = start, repeats: isRepeated } = scope.place
  return { ...scope, place: { at, end, group, repeats: repeats || isRepeated } }
}

/** Records that a command may change something. */
export function addChange(
  { found, place }: Scope,
  { fills = false, tracks }: Partial<Pick<Change, 'fills' | 'tracks'>> = {},
): void {
  const { at, group = at, repeats } = place
  const last = found.changes.at(-1)
  // A command with thousands of files counts as one change, since each file is compared with every
  // change.
  const isSame = last?.at === at && last.from === group && last.repeats === repeats
  if (isSame && last.fills === fills && last.tracks === tracks) return
  found.changes.push({ at, from: group, repeats, fills, tracks })
}

/** Adds a doubt about the parsing of the whole text. */
export function addMisread({ found }: Scope, why: string): void {
  found.doubts.add(why)
  found.misread ??= why
}

/** Records that a variable now has a value from this text. */
export function assign({ found, certain }: Scope, name: string): void {
  if (!certain && !found.assigned.has(name)) found.unsure.add(name)
  found.assigned.add(name)
}

/**
 * Counts a command. With too many, including each loop iteration, adds a doubt and returns false.
 */
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

/** Counts a loop iteration. With too many in all loops together, adds a doubt and returns false. */
export function takesTurn({ found }: Scope): boolean {
  if (++found.turns <= MAX) return true
  found.doubts.add(`has loops with more than ${MAX} iterations`)
  return false
}

/** A nested scope. If it is nested too deeply, adds a doubt and returns undefined. */
export function nested(scope: Scope, change?: Partial<Scope>): Scope | undefined {
  const depth = scope.depth + 1
  if (depth <= DEEPEST) return change ? { ...scope, ...change, depth } : { ...scope, depth }
  scope.found.doubts.add(`is nested more than ${DEEPEST} levels deep`)
  return undefined
}

/** Roughly the number of words in the longest command that is analyzed. */
const MAX_GUESSES = 6000
const LONGEST = 24

/**
 * All simple commands that a shell command may contain under any parsing. It is split at everything
 * that separates commands, quotes are removed, and every word may start a command. Used for deny
 * rules on commands that can't be analyzed.
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
