import { posix } from 'node:path'
import { decide } from '../src/decide/decide.ts'
import { readRules } from '../src/rule/read-rules.ts'
import type { Verdict } from '../src/rule/rule.ts'
import type { FileSystemView, FolderEntry } from '../src/decide/file-system.ts'

/**
 * A file system with these paths in `/work`. Paths that end in `/` are folders, and some paths are
 * links.
 */
export function fileSystemWith(
  paths: readonly string[],
  links: Readonly<Record<string, string>> = {},
): FileSystemView {
  const known = new Map(paths.map((path) => [`/work/${path.replace(/\/$/, '')}`, path]))
  return {
    cwd: '/work',
    home: '/home/me',
    roots: ['/work'],
    platform: 'linux',
    caseSensitive: true,
    follow: (path) => [links[path.replace(/^\/work\//, '')] ?? posix.normalize(path)],
    list: async (folder, { deep }) =>
      [...paths, ...Object.keys(links)].flatMap((path): FolderEntry[] => {
        const full = `/work/${path}`.replace(/\/$/, '')
        if (!full.startsWith(`${folder}/`)) return []
        const inner = full.slice(folder.length + 1)
        if (!deep && inner.includes('/')) return []
        return [
          { path: inner, kind: path in links ? 'link' : path.endsWith('/') ? 'folder' : 'file' },
        ]
      }),
    identify: (path) => {
      const plain = path.replace(/\/\.?(?=\/|$)/g, '')
      const found = plain === '/work' ? '/' : known.get(plain)
      return found === undefined
        ? undefined
        : { id: plain, isFolder: found.endsWith('/'), linkCount: 1 }
    },
  }
}

/** The verdict on a shell text with these rules. */
export async function verdictIn(
  fileSystem: FileSystemView,
  command: string,
  { allow, deny = [] }: { readonly allow: readonly string[]; readonly deny?: readonly string[] },
): Promise<Verdict> {
  const { rules } = readRules({ allow, deny })
  return (await decide({ name: 'Bash', args: { command } }, { rules }, fileSystem)).verdict
}
