/** Other names of the canonical tools. They share its rules; their arguments are renamed where they differ. */
export interface Alias {
  readonly tool: string
  readonly arguments?: Readonly<Record<string, string>>
}

export const aliases: ReadonlyMap<string, Alias> = new Map<string, Alias>([
  ['read_file', { tool: 'Read', arguments: { path: 'file_path' } }],
  ['write_file', { tool: 'Write', arguments: { path: 'file_path' } }],
  ['list_files', { tool: 'Glob', arguments: { directory: 'path' } }],
  ['search_files', { tool: 'Glob' }],
  ['search_code', { tool: 'Grep', arguments: { query: 'pattern' } }],
  // The only tool whose own arguments are not in snake case.
  ['LSP', { tool: 'LSP', arguments: { file_path: 'filePath' } }],
  ['get_diagnostics', { tool: 'LSP', arguments: { file: 'filePath' } }],
  ['bash', { tool: 'Bash' }],
])
