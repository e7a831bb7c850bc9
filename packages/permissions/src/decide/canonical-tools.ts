import type { ToolAccess } from './access.ts'

/** The canonical tools and what their arguments mean, by name. */
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
  // What a program does with its input is unknown.
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
