import type { Alias } from '../alias/aliases.ts'

/**
 * The meaning of a tool's arguments for permissions: which of them are files, commands or
 * addresses.
 */
export interface ToolAccess {
  /** The arguments and their types. Unlisted arguments are refused. Default: any are accepted. */
  readonly arguments?: Readonly<Record<string, ArgumentType>>
  /** Other names that models use for arguments, mapped to the tool's own. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** The required arguments. */
  readonly required?: readonly string[]
  /** The argument with the path of a file to read. */
  readonly reads?: string
  /** The argument with the path of a file to write. */
  readonly writes?: string
  /** The argument with the path of a folder to list. */
  readonly lists?: string
  /** The argument with a pattern of file names, which may lead out of the folder. */
  readonly names?: string
  /** The argument with shell text. */
  readonly runs?: string
  /** The argument with the folder in which the shell text runs. */
  readonly runsIn?: string
  /** The argument with a URL. */
  readonly fetches?: string
  /** The argument with a list of hosts. */
  readonly hosts?: string
  /** True if the tool changes nothing, neither on this machine nor elsewhere. */
  readonly readOnly?: boolean
  /** True if the tool reaches only the user or the model's own notes, so it needs no rule. */
  readonly harmless?: boolean
  /** Set if the tool is an alias. Its arguments have the same meaning as the other tool's. */
  readonly alias?: Alias
}

/** The required type of an argument. */
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

/** The canonical tools and the meaning of their arguments, by name. */
export const canonicalTools: ReadonlyMap<string, ToolAccess> = new Map<string, ToolAccess>([
  [
    'Read',
    {
      required: ['file_path'],
      arguments: {
        file_path: 'text',
        offset: 'count',
        limit: 'count',
        pages: 'text',
        line_numbers: 'flag',
        encoding: 'text',
      },
      reads: 'file_path',
      readOnly: true,
    },
  ],
  [
    'Write',
    {
      required: ['file_path', 'content'],
      arguments: { file_path: 'text', content: 'text' },
      writes: 'file_path',
    },
  ],
  [
    'Edit',
    {
      required: ['file_path', 'old_string', 'new_string'],
      arguments: { file_path: 'text', old_string: 'text', new_string: 'text', replace_all: 'flag' },
      writes: 'file_path',
    },
  ],
  [
    'Glob',
    {
      required: ['pattern'],
      arguments: { pattern: 'text', path: 'text', no_ignore: 'flag' },
      lists: 'path',
      names: 'pattern',
      readOnly: true,
    },
  ],
  [
    'Grep',
    {
      required: ['pattern'],
      arguments: {
        pattern: 'text',
        path: 'text',
        glob: 'text',
        type: 'text',
        output_mode: 'text',
        '-i': 'flag',
        '-n': 'flag',
        '-A': 'count',
        '-B': 'count',
        '-C': 'count',
        '-o': 'flag',
        fixed_strings: 'flag',
        multiline: 'flag',
        head_limit: 'count',
        offset: 'count',
      },
      reads: 'path',
      readOnly: true,
    },
  ],
  [
    'Bash',
    {
      required: ['command'],
      arguments: {
        command: 'text',
        description: 'text',
        timeout: 'count',
        cwd: 'text',
        run_in_background: 'flag',
        background_on_timeout: 'flag',
        interactive: 'flag',
      },
      runs: 'command',
      runsIn: 'cwd',
    },
  ],
  [
    'BashOutput',
    {
      arguments: { task_id: 'text', wait_ms: 'count', filter: 'text' },
      harmless: true,
      readOnly: true,
    },
  ],
  // The effect of input on a running program is unknown.
  [
    'BashInput',
    {
      required: ['task_id', 'input'],
      arguments: { task_id: 'text', input: 'text', end: 'flag' },
    },
  ],
  ['KillShell', { arguments: { task_id: 'text' }, harmless: true }],
  [
    'LSP',
    {
      required: ['operation'],
      arguments: {
        operation: 'text',
        filePath: 'text',
        line: 'count',
        character: 'count',
        query: 'text',
      },
      // The only tool whose arguments are not in snake_case.
      otherNames: { file_path: 'filePath' },
      reads: 'filePath',
      readOnly: true,
    },
  ],
  [
    'WebFetch',
    {
      required: ['url'],
      arguments: { url: 'text', prompt: 'text', format: 'text', offset: 'count' },
      fetches: 'url',
      readOnly: true,
    },
  ],
  [
    'WebSearch',
    {
      required: ['query'],
      arguments: {
        query: 'text',
        allowed_domains: 'list',
        blocked_domains: 'list',
        max_results: 'count',
      },
      hosts: 'allowed_domains',
      readOnly: true,
    },
  ],
  ['AskUserQuestion', { harmless: true, readOnly: true }],
  ['TodoWrite', { harmless: true, readOnly: true }],
])
