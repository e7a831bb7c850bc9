import type { Operation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import type { PrintedNames, CommandOutcome, PossibleFolders } from './outcome.ts'
import type { ShellCommand } from './script.ts'

/** What was found so far, in the whole text. */
export interface Findings {
  readonly commands: ShellCommand[]
  readonly operations: Operation[]
  readonly doubts: Set<string>
}

/** Where in a text a command stands. */
export interface Scope {
  readonly fileSystem: FileSystemView
  readonly found: Findings
  readonly source: string
  readonly folders: PossibleFolders
  /** Variables of loops over plain words. */
  readonly loops: ReadonlySet<string>
  readonly depth: number
  /** The command that runs this text. */
  readonly within?: ShellCommand
  /** Something is piped in. */
  readonly piped?: boolean
  /** Something comes in: by a pipe or a redirection. */
  readonly fed?: boolean
  /** What comes in, if that is roughly known: for rules that deny. */
  readonly input?: string
  /** What comes in are these names of files; undefined: that cannot be told. */
  readonly names?: PrintedNames
  /** Reads a text as a script of its own. */
  readonly read: (text: string, scope: Scope) => CommandOutcome
}

const MAX = 500
const DEEPEST = 24

/** A scope in which names may come in, but not known ones. */
export function withoutInputNames(scope: Scope): Scope {
  const { names: _, ...rest } = scope
  return rest
}

/** Adds a command, as long as there are not too many. */
export function add({ found }: Scope, command: ShellCommand): void {
  if (found.commands.length < MAX) found.commands.push(command)
  else found.doubts.add(`it has more than ${MAX} commands`)
}

/** A scope further inside; too deep is a doubt and the end. */
export function nested(scope: Scope, change: Partial<Scope>): Scope | undefined {
  if (scope.depth < DEEPEST) return { ...scope, ...change, depth: scope.depth + 1 }
  scope.found.doubts.add(`it is nested more than ${DEEPEST} deep`)
  return undefined
}
