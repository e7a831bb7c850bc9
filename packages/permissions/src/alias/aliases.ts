import { type Arguments, type OfferedAlias, renameArguments, type Schema } from './alias.ts'

/** The other names of the canonical tools. */
export const aliases: ReadonlyMap<string, OfferedAlias> = new Map<string, OfferedAlias>([
  [
    'read_file',
    alias<{ content: string; total_lines: number; size?: number; notice?: string }>({
      tool: 'Read',
      description: 'Read the content of a file',
      parameters: object(
        {
          path: text('The file: an absolute path, or one from the working folder'),
          offset: count('The number of the first line, from 1'),
          limit: count('How many lines; 2000 if left out'),
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
      description: 'Write content to a file, in the place of what it contained',
      parameters: object(
        {
          path: text('The file: an absolute path, or one from the working folder'),
          content: text('All that the file shall contain'),
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
          directory: text('The directory: an absolute path, or one from the working folder'),
          pattern: text('Only files whose names below it fit, such as **/*.ts; * if left out'),
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
      description: 'Find files by a pattern of their names',
      parameters: object(
        {
          pattern: text('A glob pattern, such as **/*.ts'),
          path: text('The directory to search; the working folder if left out'),
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
      description: 'Search the contents of files for a regular expression',
      parameters: object(
        {
          query: text('The regular expression'),
          options: object({
            path: text('The directory or file to search; the working folder if left out'),
            glob: text('Only files whose names fit, such as *.ts'),
            type: text('Only files of a kind, such as js, py or go'),
            fixed_strings: flag('Take the query as plain text'),
            '-i': flag('Ignore case'),
            '-C': count('How many lines to show around each match; 0 if left out'),
            head_limit: count('How many matches to show at most; 250 if left out'),
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
      description: 'Get the errors and warnings of a file, or of the working folder',
      parameters: object({ file: text('The file; all of the working folder if left out') }),
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
      description: 'Execute a shell command and tell what it writes',
      parameters: object({ command: text('The shell command to execute') }, ['command']),
      fromTool: executed,
    }),
  ],
  [
    'run_tests',
    {
      tool: 'Bash',
      description: 'Run the tests of the project and tell what they write',
      parameters: object({ timeout: count('After how many milliseconds they are stopped') }),
      narrow: true,
      toTool(args, { testCommand }) {
        if (testCommand === undefined)
          return 'There is no command that runs the tests. A person can set "testCommand" in the settings, such as "npm test".'
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
  /** What the tool calls its arguments. */
  readonly names?: Readonly<Record<string, string>>
  /** An argument that holds more arguments. */
  readonly spread?: string
  /** What it means where nothing else is said. */
  readonly defaults?: (args: Arguments) => Arguments
  fromTool(result: Result, text: string): unknown
}

function alias<Result>({ names, spread, defaults, ...own }: Definition<Result>): OfferedAlias {
  return {
    ...own,
    toTool(args) {
      const more = spread === undefined ? undefined : args[spread]
      if (more !== undefined && !isObject(more)) return `Expected ${spread} to be an object.`
      const rest = Object.entries(args).filter(([key]) => key !== spread)
      const twice = rest.find(([key]) => more !== undefined && Object.hasOwn(more, key))
      if (twice) return `${own.tool} was given ${twice[0]} twice.`
      const found = renameArguments({ ...Object.fromEntries(rest), ...more }, own.tool, names)
      return typeof found === 'string' ? found : { ...defaults?.(found), ...found }
    },
    fromTool: (result, shown) => own.fromTool(result as Result, shown),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface FoundFiles {
  readonly files: readonly string[]
  readonly total: number
  readonly truncated: boolean
}

/** However many are told, all are counted. */
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
