import type { Alias } from '../alias/alias.ts'

/** What the arguments of a tool reach, as far as permissions must know. A tool of one's own says it beside its schema. */
export interface ToolAccess {
  /** The arguments there are, and what each must be. One that is not listed is refused. Undefined: any. */
  readonly arguments?: Readonly<Record<string, ArgumentType>>
  /** Other names that models have for them. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** Those that must be there. */
  readonly required?: readonly string[]
  /** The argument that names a file which is read, or written, or whose folder is listed. */
  readonly reads?: string
  readonly writes?: string
  readonly lists?: string
  /** The argument that is a pattern for names, which may lead elsewhere. */
  readonly names?: string
  /** The argument that is shell text; and the one that says where it runs. */
  readonly runs?: string
  readonly runsIn?: string
  /** The argument that is an address on the web; and the one that lists hosts. */
  readonly fetches?: string
  readonly hosts?: string
  /** It changes nothing: neither here nor elsewhere. */
  readonly readOnly?: boolean
  /** It reaches only the person who is asked, or the model's own notes. */
  readonly harmless?: boolean
  /** It is another name of a tool: what its arguments reach is what that tool's do. */
  readonly alias?: Alias
}

export type ArgumentType = 'text' | 'count' | 'flag' | 'list' | 'any'

/** Whether a value is of a type. */
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
