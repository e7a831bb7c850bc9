import type { DecisionPart } from '../decide/decision.ts'
import type { FolderEntry } from '../decide/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import { MAX_ENTRIES, type SearchableFileSystem } from '../decide/look-up.ts'
import { isUnquotedName } from '../shell/printed.ts'
import { showInvisible } from './invisible.ts'
import { type FolderJudge, LINK, TOO_MUCH } from './find-inside.ts'
import { namesMatch } from './names-match.ts'

/**
 * Judges the files in a folder whose names a command prints for another to use. Returns the first part that isn't allowed: a
 * link that leads elsewhere, a name that may be read as an option, or one that may be split into several.
 */
export function judgeEach(
  operation: FileOperation,
  folder: string,
  fileSystem: SearchableFileSystem,
  { judge, spend }: Pick<FolderJudge, 'judge' | 'spend'>,
): DecisionPart | undefined {
  const { each, only, path, ...rest } = operation
  if (!each || path === undefined) return undefined
  const ask = (why: string): DecisionPart => ({
    ...judge({ ...rest, path }),
    verdict: 'ask',
    why,
    firm: true,
  })
  if (operation.stale) return ask('other commands of the text may change which files are there')
  const target = fileSystem.identify?.(folder)
  if (!target) return ask("the folder doesn't exist yet, so its files can't be checked")
  if (!target.isFolder) return undefined
  const tracked = each.tracked ? trackedIn(folder, fileSystem) : undefined
  const entries = tracked ?? fileSystem.listed?.(folder, true)
  if (!entries) return ask('the files in it cannot all be checked')
  const writes = rest.kind === 'write'
  if (writes && entries.length > MAX_WRITTEN)
    return ask(`would write up to ${entries.length} files`)
  if (!spend(entries.length)) return ask(TOO_MUCH)
  const isPrinted = only && namesMatch(only)
  for (const entry of entries) {
    // Git also prints what is in a folder whose name matches.
    if (isPrinted && !entry.path.split('/').some(isPrinted)) continue
    const printed = path === '.' ? entry.path : `${path.replace(/\/$/, '')}/${entry.path}`
    if (printed.startsWith('-')) return ask(`\`${printed}\` may be read as an option`)
    if (each.cut && !(each.cut === 'lines' ? !printed.includes('\n') : isUnquotedName(printed))) {
      const denied = piecesOf(printed)
        .map((piece) => judge({ ...rest, path: piece }))
        .find(({ verdict }) => verdict === 'deny')
      return denied ?? ask(`\`${showInvisible(printed)}\` may be split into several names`)
    }
    if (tracked && !/^[\x20-\x7e]+$/.test(printed)) return ask('git quotes a name in it')
    if (!writes && (entry.kind !== 'link' || each.withoutLinks)) continue
    if (!spend(LINK)) return ask(TOO_MUCH)
    const part = judge({ ...rest, path: printed })
    if (part.verdict !== 'allow') return part
  }
  return undefined
}

/** The files that git tracks in a folder of its top folder. Any of them may be a link by now. */
function trackedIn(
  folder: string,
  fileSystem: SearchableFileSystem,
): readonly FolderEntry[] | undefined {
  const repository = fileSystem.repositoryOf?.(folder)
  if (!repository?.files || repository.files.length > MAX_ENTRIES) return undefined
  const start = folder === repository.root ? '' : `${folder.slice(repository.root.length + 1)}/`
  const files = repository.files.flatMap((path) =>
    path.startsWith(start) ? [path.slice(start.length)] : [],
  )
  const lead = fileSystem.followMany?.() ?? ((path: string) => fileSystem.follow(path))
  return files.map((path): FolderEntry => {
    const [only, another] = lead(`${folder}/${path}`) ?? []
    const isPlain = only === `${folder}/${path}` && another === undefined
    return { path, kind: isPlain ? 'file' : 'link' }
  })
}

/** Each file that is written is judged by itself. */
const MAX_WRITTEN = 2000

/** The names that a name with whitespace or quotes may be split into. */
const piecesOf = (name: string): string[] =>
  [...name.replace(/['"\\]/g, '').split(/\s+/), ...name.split(/[\s'"\\]+/)].filter(Boolean)
