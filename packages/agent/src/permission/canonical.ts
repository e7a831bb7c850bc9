import type { Access } from './access.ts'

/** The canonical tools, by name: what their arguments reach. */
export const canonicalTools: ReadonlyMap<string, Access> = new Map<string, Access>([
  [
    'Read',
    {
      arguments: { file_path: 'text', offset: 'count', limit: 'count', pages: 'text' },
      reads: 'file_path',
      readOnly: true,
    },
  ],
  ['Write', { arguments: { file_path: 'text', content: 'text' }, writes: 'file_path' }],
  [
    'Edit',
    {
      arguments: { file_path: 'text', old_string: 'text', new_string: 'text', replace_all: 'flag' },
      writes: 'file_path',
    },
  ],
  ['Glob', { arguments: { pattern: 'text', path: 'text' }, lists: 'path', readOnly: true }],
  [
    'Grep',
    {
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
      arguments: {
        command: 'text',
        description: 'text',
        timeout: 'count',
        cwd: 'text',
        run_in_background: 'flag',
      },
      runs: 'command',
      runsIn: 'cwd',
    },
  ],
  [
    'LSP',
    {
      arguments: {
        operation: 'text',
        filePath: 'text',
        line: 'count',
        character: 'count',
        query: 'text',
      },
      reads: 'filePath',
      readOnly: true,
    },
  ],
  ['WebFetch', { arguments: { url: 'text', prompt: 'text' }, fetches: 'url', readOnly: true }],
  [
    'WebSearch',
    {
      arguments: { query: 'text', allowed_domains: 'list', blocked_domains: 'list' },
      hosts: 'allowed_domains',
      readOnly: true,
    },
  ],
  ['AskUserQuestion', { harmless: true, readOnly: true }],
  ['TodoWrite', { harmless: true, readOnly: true }],
])
