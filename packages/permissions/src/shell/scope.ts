import type { Operation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import type { PrintedNames, CommandOutcome, PossibleFolders } from './outcome.ts'
import type { ShellCommand } from './script.ts'

/** What was found in the whole text so far. */
export interface Findings {
  readonly commands: ShellCommand[]
  readonly operations: Operation[]
  readonly doubts: Set<string>
}

/** The context of a command in a text. */
export interface Scope {
  readonly fileSystem: FileSystemView
  readonly found: Findings
  readonly source: string
  readonly folders: PossibleFolders
  /** The variables of loops over plain words. */
  readonly loops: ReadonlySet<string>
  readonly depth: number
  /** The command that runs this text. */
  readonly within?: ShellCommand
  /** It reads from a pipe. */
  readonly piped?: boolean
  /** It has input, from a pipe or a redirection. */
  readonly fed?: boolean
  /** The input, if roughly known; for deny rules. */
  readonly input?: string
  /** The file names in the input; undefined if unknown. */
  readonly names?: PrintedNames
  /** Analyzes a text as a separate script. */
  readonly read: (text: string, scope: Scope) => CommandOutcome
}

const MAX = 500
const DEEPEST = 24

/** The scope without the file names in its input. */
export function withoutInputNames(scope: Scope): Scope {
  const { names: _, ...rest } = scope
  return rest
}

/** Adds a command, unless there are too many. */
export function add({ found }: Scope, command: ShellCommand): void {
  if (found.commands.length < MAX) found.commands.push(command)
  else found.doubts.add(`has more than ${MAX} commands`)
}

/** A nested scope; undefined, with a doubt, if it is nested too deeply. */
export function nested(scope: Scope, change: Partial<Scope>): Scope | undefined {
  if (scope.depth < DEEPEST) return { ...scope, ...change, depth: scope.depth + 1 }
  scope.found.doubts.add(`is nested more than ${DEEPEST} levels deep`)
  return undefined
}
