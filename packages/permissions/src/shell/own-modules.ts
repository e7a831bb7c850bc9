import type { FolderEntry } from '../decide/file-system.ts'
import type { Argument } from './option.ts'
import type { Usage } from './program.ts'
import { hasOption } from './reach.ts'
import { setOf } from './same-repository.ts'
import { staleIn, type Scope } from './scope.ts'

/**
 * Why a program may load a file of its folder in place of a module that it needs: `python3 -m json.tool` runs `argparse.py`. What
 * git tracks came with the repository.
 */
export function loadsOwnModule(
  module: string | undefined,
  given: readonly Argument[],
  usage: Usage,
  scope: Scope,
): string | undefined {
  const { loads } = usage.wrapper ?? {}
  if (!loads || module === undefined || loads.except.test(module)) return undefined
  if (hasOption(given, loads.unless, usage)) return undefined
  const { files, own } = loads
  const isNeeded = own.modules.test(module) ? own.isNeeded : () => true
  const isModule = (name: string, kind: FolderEntry['kind']): boolean =>
    isNeeded(name) && (kind !== 'file' || files.test(name))
  for (const folder of scope.folders) {
    const isKnown = folder !== undefined && !staleIn(scope)
    const found = isKnown ? newModuleIn(folder, isModule, scope) : UNKNOWN
    if (found !== undefined) return `may load ${found} in place of a module that it needs`
  }
  return undefined
}

const UNKNOWN = 'a file of its folder'

/** The first module in a folder that git doesn't track: a file, or a folder with `__init__.py` or the like. */
function newModuleIn(
  folder: string,
  isModule: (name: string, kind: FolderEntry['kind']) => boolean,
  { fileSystem }: Scope,
): string | undefined {
  const entries = fileSystem.listed?.(folder, false)
  if (!entries) return UNKNOWN
  const repository = fileSystem.repositoryOf?.(folder)
  const isTracked = (path: string): boolean => {
    const full = `${folder}/${path}`
    if (!repository?.files || !full.startsWith(`${repository.root}/`)) return false
    return setOf(repository.files).has(full.slice(repository.root.length + 1))
  }
  for (const { path, kind } of entries) {
    if (!isModule(path, kind)) continue
    // A link may lead anywhere.
    if (kind === 'link') return path
    const inside = kind === 'file' ? [] : fileSystem.listed?.(`${folder}/${path}`, false)
    if (!inside) return UNKNOWN
    const initial = inside.flatMap((each) =>
      each.path.startsWith('__init__.') ? [`${path}/${each.path}`] : [],
    )
    const found = (kind === 'file' ? [path] : initial).find((each) => !isTracked(each))
    if (found !== undefined) return found
  }
  return undefined
}
