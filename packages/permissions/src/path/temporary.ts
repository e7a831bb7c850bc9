import type { FileOperation } from '../decide/operation.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { pathOf, relativeTo, segmentsOf } from './segments.ts'
import type { Spellings } from './spellings.ts'

/**
 * A file in a temporary folder that only commands of this run see; undefined for any other. A tool sees the folder of the
 * system instead.
 */
export function temporaryFile(
  { kind, path, cwd, tool }: FileOperation,
  fileSystem: SearchableFileSystem,
): (Spellings & { readonly leadsOut: boolean }) | undefined {
  if (path === undefined || tool !== undefined) return undefined
  const full = path.startsWith('/') ? path : cwd !== undefined && `${cwd}/${path}`
  // A folder may be a link by the time `..` is resolved.
  if (!full || !SYSTEM.test(full) || full.split('/').includes('..')) return undefined
  const given = segmentsOf(full)
  const known = [...fileSystem.roots, fileSystem.home].flatMap((each) =>
    [each, ...(fileSystem.follow(each) ?? [])].map(segmentsOf),
  )
  if (known.some((each) => relativeTo(each, given))) return undefined
  for (const { path: seen, real, shown = [] } of fileSystem.temporaryMounts?.() ?? []) {
    const rest = relativeTo(segmentsOf(seen), given)
    if (!rest || (rest.length === 0 && kind !== 'list')) continue
    // A workspace in the system's temporary folder is available there, and so is its repository.
    const isShown = [...known, ...shown.map(segmentsOf)].some((each) => {
      const inside = relativeTo(segmentsOf(seen), each)
      return inside !== undefined && inside[0] === rest[0]
    })
    if (isShown) return undefined
    const name = pathOf([...segmentsOf(real), ...rest])
    const followed = fileSystem.follow(name)
    const leadsOut = !followed || followed.some((each) => each !== name)
    return { given: pathOf(given), real: name, names: [pathOf(given)], cautions: [], leadsOut }
  }
  return undefined
}

/** Where sandboxes have folders of their own. Others are not asked about. */
const SYSTEM = /^\/(?:private\/)?(?:var\/)?tmp(?:\/|$)/
