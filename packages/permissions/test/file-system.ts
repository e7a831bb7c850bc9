import { decide } from '../src/decide/decide.ts'
import { readRules } from '../src/rule/read-rules.ts'
import type { Verdict } from '../src/rule/verdict.ts'
import type { FileSystemView } from '../src/decide/file-system.ts'

/** A file system with these paths in `/work`: those that end in `/` are folders, and some are links. */
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
    follow: (path) => [links[path.replace(/^\/work\//, '')] ?? path],
    entries: (folder) =>
      [...paths, ...Object.keys(links)].flatMap((path) => {
        const full = `/work/${path}`.replace(/\/$/, '')
        return full.startsWith(`${folder}/`)
          ? [{ path: full.slice(folder.length + 1), link: path in links }]
          : []
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
export function verdictIn(
  fileSystem: FileSystemView,
  command: string,
  { allow, deny = [] }: { readonly allow: readonly string[]; readonly deny?: readonly string[] },
): Verdict {
  const { rules } = readRules({ allow, deny })
  return decide({ name: 'Bash', args: { command } }, { rules }, fileSystem).verdict
}
