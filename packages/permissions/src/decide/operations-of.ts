import { type CheckedCall, textArgument } from './call.ts'
import type { Operation } from './operation.ts'
import type { FileSystemView } from './file-system.ts'

/** The files and pages that the arguments of a call name. */
export function operationsOf(
  { name, args, access }: CheckedCall,
  { cwd }: FileSystemView,
): Operation[] {
  const operations: Operation[] = []
  for (const [kind, key] of [
    ['read', access.reads],
    ['write', access.writes],
    ['list', access.lists],
  ] as const) {
    if (key === undefined) continue
    // Without a folder, it is the one the call starts in.
    const path = textArgument(args, key) ?? (access.readOnly ? cwd : undefined)
    operations.push({ kind, path, cwd, because: name, tool: name })
    const outside = kind === 'list' ? folderOutside(textArgument(args, access.names)) : undefined
    if (outside !== undefined)
      operations.push({ kind, path: outside, cwd: path ?? cwd, because: name, tool: name })
  }
  if (access.fetches !== undefined)
    operations.push({ kind: 'fetch', url: textArgument(args, access.fetches), because: name })
  return operations
}

/** The folder that a pattern of file names leads to, if that is outside the folder it is searched in. */
function folderOutside(pattern: string | undefined): string | undefined {
  if (pattern === undefined || !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return undefined
  const names = pattern.split('/')
  const wild = names.findIndex((part) => /[*?[{]/.test(part))
  return (wild < 0 ? names : names.slice(0, wild)).join('/') || '/'
}
