import type { DecisionPart } from '../decide/decision.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { type FolderJudge, LINK, TOO_MUCH } from './find-inside.ts'
import { isLinkItself } from './is-link.ts'
import { holdsProtected } from './protected.ts'
import { realPath } from './real-path.ts'

/** A copy of more files is not judged file by file. */
const MAX_FILES = 2000

/** Judges every file that a copy of a folder writes. Returns the first part that isn't allowed. */
export function judgeBrought(
  copy: FileOperation,
  source: string,
  fileSystem: SearchableFileSystem,
  { judge, spend }: Pick<FolderJudge, 'judge' | 'spend'>,
): DecisionPart | undefined {
  const { brings: _, ...operation } = copy
  const ask = (why: string): DecisionPart => {
    const { rule: _rule, unspoken: _unspoken, ...part } = judge(operation)
    // No rule for the file alone would allow the copy.
    const asking = { ...part, verdict: 'ask', why, firm: true, subject: copy } as const
    return part.verdict === 'deny' ? part : asking
  }
  const { path, cwd } = operation
  if (path === undefined || cwd === undefined) return undefined
  if (copy.stale === 'path' || (copy.stale && !fileSystem.identify))
    return ask('other commands of the text may change what is copied')
  const full = source.startsWith('/') ? source : `${cwd}/${source}`
  if (isLinkItself(full, fileSystem))
    return ask(`${source} is a link, which may lead elsewhere under another name`)
  const real = realPath(full, fileSystem)
  const found = real === undefined ? undefined : fileSystem.identify?.(real)
  // What an earlier command creates can't be checked yet, nor what is in it.
  if (!found || real === undefined)
    return holdsProtected(path) ? ask(`${source} can't be checked before it exists`) : undefined
  if (copy.stale && (found.isFolder || holdsProtected(path)))
    return ask('other commands of the text may change what is copied')
  if (!found.isFolder) return undefined
  const entries = fileSystem.listed?.(real, true)
  if (!entries || entries.length > MAX_FILES) return ask(`copies too many files of ${source}`)
  for (const entry of entries) {
    if (entry.kind === 'link') return ask(`copies the link ${source}/${entry.path}`)
    if (!spend(LINK)) return ask(TOO_MUCH)
    const part = judge({ ...operation, path: `${path}/${entry.path}` })
    const isImplied = operation.implied && part.unspoken
    if (part.verdict !== 'allow' && !isImplied) return { ...part, firm: true }
  }
  return undefined
}
