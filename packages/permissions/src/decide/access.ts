import type { Alias } from '../alias/alias.ts'

/** What the arguments of a tool mean for permissions: which of them are files, commands or addresses. */
export interface ToolAccess {
  /** The arguments and their types. One that isn't listed is refused. Undefined: any are accepted. */
  readonly arguments?: Readonly<Record<string, ArgumentType>>
  /** Other names that models use for arguments, mapped to the tool's own. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** The arguments that a call must have. */
  readonly required?: readonly string[]
  /** The argument that names a file to read. */
  readonly reads?: string
  /** The argument that names a file to write. */
  readonly writes?: string
  /** The argument that names a folder to list. */
  readonly lists?: string
  /** The argument that is a pattern of file names, which may lead out of the folder. */
  readonly names?: string
  /** The argument that is shell text. */
  readonly runs?: string
  /** The argument that names the folder the shell text runs in. */
  readonly runsIn?: string
  /** The argument that is a URL. */
  readonly fetches?: string
  /** The argument that is a list of hosts. */
  readonly hosts?: string
  /** It changes nothing, neither on this machine nor elsewhere. */
  readonly readOnly?: boolean
  /** It only reaches the user or the model's own notes, so it needs no rule. */
  readonly harmless?: boolean
  /** It is an alias: its arguments mean what those of that tool mean. */
  readonly alias?: Alias
}

/** What the value of an argument must be. */
export type ArgumentType = 'text' | 'count' | 'flag' | 'list' | 'any'

export function isOfType(value: unknown, type: ArgumentType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string'
    case 'count':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    case 'flag':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'any':
      return true
  }
}
