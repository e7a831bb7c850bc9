// Folder: Other names of tools.
import { isObject } from '../decide/wrong-input.ts'

/** A JSON Schema. */
interface Schema {
  readonly [keyword: string]: unknown
}

/** The arguments of a call. */
type Arguments = Readonly<Record<string, unknown>>

/**
 * Another name for a tool. A call by that name is a call of the tool and is subject to the tool's
 * rules.
 */
export interface Alias {
  readonly tool: string
  /**
   * True if the alias does less than its tool, so that a rule with its name would allow more than
   * it seems to.
   */
  readonly narrow?: true
  /** The schema of its arguments. Default: the tool's. */
  readonly parameters?: Schema
  /**
   * Converts arguments to the tool's, or returns a string that describes the problem. Arguments
   * that are already the tool's own are kept.
   */
  toTool?(args: Arguments, configured: AliasSettings): Record<string, unknown> | string
  /**
   * Converts the tool's result to the alias's own. `text` is the tool's result as shown to the
   * model.
   */
  fromTool?(result: unknown, text: string): unknown
}

/** An alias with a description and schema, which can be offered to a model as a tool. */
export interface OfferedAlias extends Required<Omit<Alias, 'narrow'>>, Pick<Alias, 'narrow'> {
  readonly description: string
}

/** Settings for aliases. */
export interface AliasSettings {
  /** The shell text that `run_tests` runs. */
  readonly testCommand?: string | undefined
}

/** Renames arguments. Returns an error if one is present under both names. */
export function renameArguments(
  args: Arguments,
  tool: string,
  names: Readonly<Record<string, string>> = {},
): Record<string, unknown> | string {
  const own: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(args)) {
    const name = Object.hasOwn(names, key) ? names[key]! : key
    if (name in own) return `${tool} got the argument ${name} twice.`
    own[name] = value
  }
  return own
}

/** The aliases of the canonical tools. */
export const aliases: ReadonlyMap<string, OfferedAlias> = new Map<string, OfferedAlias>([
  [
    'read_file',
    alias<{ content: string; total_lines: number; size?: number; notice?: string }>({
      tool: 'Read',
      description: 'Read the contents of a file',
      parameters: object(
        {
          path: text('Path of the file, absolute or relative to the working directory'),
          offset: count('Line number to start at, counting from 1'),
          limit: count('Maximum number of lines to read. Default: 2000'),
        },
        ['path'],
      ),
      names: { path: 'file_path' },
      defaults: () => ({ line_numbers: false }),
      fromTool: ({ content, total_lines, size, notice }) => ({
        content,
        lines: total_lines,
        ...(size !== undefined && { size }),
        ...(notice !== undefined && { notice }),
      }),
    }),
  ],
  [
    'write_file',
    alias<{ success: boolean; bytes_written: number }>({
      tool: 'Write',
      description: 'Write a file, replacing its previous contents',
      parameters: object(
        {
          path: text('Path of the file, absolute or relative to the working directory'),
          content: text('The complete new contents of the file'),
        },
        ['path', 'content'],
      ),
      names: { path: 'file_path' },
      fromTool: ({ success, bytes_written }) => ({ success, bytes_written }),
    }),
  ],
  [
    'list_files',
    alias<FoundFiles>({
      tool: 'Glob',
      description: 'List the files in a directory',
      parameters: object(
        {
          directory: text('Path of the directory, absolute or relative to the working directory'),
          pattern: text('Glob pattern that the paths must match, such as **/*.ts. Default: *'),
        },
        ['directory'],
      ),
      names: { directory: 'path' },
      defaults: () => ({ pattern: '*' }),
      fromTool: foundFiles,
    }),
  ],
  [
    'search_files',
    alias<FoundFiles>({
      tool: 'Glob',
      description: 'Find files whose paths match a glob pattern',
      parameters: object(
        {
          pattern: text('Glob pattern, such as **/*.ts'),
          path: text('Directory to search. Default: the working directory'),
        },
        ['pattern'],
      ),
      fromTool: foundFiles,
    }),
  ],
  [
    'search_code',
    alias<{ matches?: unknown; files?: unknown; counts?: unknown; total_matches: number }>({
      tool: 'Grep',
      description: 'Search file contents for a regular expression',
      parameters: object(
        {
          query: text('Regular expression to search for'),
          options: object({
            path: text('Directory or file to search. Default: the working directory'),
            glob: text('Search only files that match this glob pattern, such as *.ts'),
            type: text('Search only files of this type, such as js, py or go'),
            fixed_strings: flag('Treat the query as plain text'),
            '-i': flag('Ignore case'),
            '-C': count('Lines of context before and after each match. Default: 0'),
            head_limit: count('Maximum number of matches. Default: 250'),
          }),
        },
        ['query'],
      ),
      names: { query: 'pattern' },
      spread: 'options',
      defaults: () => ({ output_mode: 'content', '-C': 0 }),
      fromTool: ({ matches, files, counts, total_matches }) => ({
        ...(matches !== undefined && { matches }),
        ...(files !== undefined && { files }),
        ...(counts !== undefined && { counts }),
        count: total_matches,
      }),
    }),
  ],
  [
    'get_diagnostics',
    alias<{ diagnostics: readonly unknown[]; total: number; truncated?: boolean }>({
      tool: 'LSP',
      description: 'Get the errors and warnings in a file or in the whole working directory',
      parameters: object({ file: text('Path of the file. Default: the whole working directory') }),
      names: { file: 'filePath' },
      defaults: ({ filePath }) =>
        filePath === undefined
          ? { operation: 'workspaceDiagnostics', filePath: '.' }
          : { operation: 'diagnostics' },
      fromTool: ({ diagnostics, total, truncated }) => ({
        diagnostics,
        count: total,
        ...(truncated && { truncated }),
      }),
    }),
  ],
  [
    'bash',
    alias<{ exit_code: number }>({
      tool: 'Bash',
      description: 'Execute a shell command and return its output',
      parameters: object({ command: text('The shell command to execute') }, ['command']),
      fromTool: executed,
    }),
  ],
  [
    'run_tests',
    {
      tool: 'Bash',
      description: 'Run the tests of the project and return their output',
      parameters: object({ timeout: count('Time limit in milliseconds') }),
      narrow: true,
      toTool(args, { testCommand }) {
        if (testCommand === undefined)
          return 'No test command is configured. The user can set "testCommand" in the settings, or in the permissions that a program passes, such as "npm test".'
        const unknown = Object.keys(args).find((key) => key !== 'timeout')
        if (unknown !== undefined)
          return `run_tests has no argument ${JSON.stringify(unknown.slice(0, 80))}.`
        return { ...args, command: testCommand }
      },
      fromTool: (result, text) => executed(result as { exit_code: number }, text),
    },
  ],
])

interface Definition<Result> extends Omit<OfferedAlias, 'toTool' | 'fromTool'> {
  /** The tool's names for its arguments. */
  readonly names?: Readonly<Record<string, string>>
  /** An argument that is an object of further arguments. */
  readonly spread?: string
  /** Default values of the tool's arguments. */
  readonly defaults?: (args: Arguments) => Arguments
  fromTool(result: Result, text: string): unknown
}

function alias<Result>({ names, spread, defaults, ...own }: Definition<Result>): OfferedAlias {
  return {
    ...own,
    toTool(args) {
      const more = spread === undefined ? undefined : args[spread]
      if (more !== undefined && !isObject(more)) return `${spread} must be an object.`
      const rest = Object.entries(args).filter(([key]) => key !== spread)
      const twice = rest.find(([key]) => more !== undefined && Object.hasOwn(more, key))
      if (twice) return `${own.tool} got the argument ${twice[0]} twice.`
      const found = renameArguments({ ...Object.fromEntries(rest), ...more }, own.tool, names)
      return typeof found === 'string' ? found : { ...defaults?.(found), ...found }
    },
    fromTool: (result, shown) => own.fromTool(result as Result, shown),
  }
}

interface FoundFiles {
  readonly files: readonly string[]
  readonly total: number
  readonly truncated: boolean
}

/** `count` is the total, even if the list is truncated. */
function foundFiles({ files, total, truncated }: FoundFiles): object {
  return { files, count: total, ...(truncated && { truncated }) }
}

function executed({ exit_code }: { exit_code: number }, text: string): object {
  return { success: exit_code === 0, result: text, exit_code }
}

function object(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

function text(description: string): Schema {
  return { type: 'string', description }
}

function count(description: string): Schema {
  return { type: 'integer', minimum: 0, description }
}

function flag(description: string): Schema {
  return { type: 'boolean', description }
}
