import type { DecisionPart } from '../decide/decision.ts'
import type { FolderEntry } from '../decide/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { Rule } from '../rule/rule.ts'
import type { Comparison } from './compare.ts'
import { namesMatch } from './pattern.ts'
import type { PathRuleLists } from './rules.ts'
import type { Spellings } from './spellings.ts'
import { MAX_ENTRIES, type SearchableFileSystem } from '../decide/look-up.ts'
import { isUnquotedName } from '../shell/printed.ts'
import { showInvisible } from './invisible.ts'
import { isLinkItself, realPath } from './segments.ts'
import { holdsProtected } from './protected.ts'

/**
 * Spends part of a decision's work budget: 1 for each name in a folder, more for a file that needs
 * its own judgment. Returns false once the budget is exhausted.
 */
export type Spend = (work: number) => boolean

/**
 * The work budget of one decision, which takes a second or two. The same folder may be used many
 * times.
 */
export const MAX_WORK = 200_000
/** The cost of judging a link or any other file on its own. */
const LINK = 50
const TOO_MUCH = 'uses more files than can be checked'

/** The context for judging the content of a folder. */
interface FolderJudge {
  readonly lists: PathRuleLists
  readonly comparison: Pick<Comparison, 'findMatch' | 'findHardLink' | 'hasHardLinks'>
  readonly judge: (operation: FileOperation) => DecisionPart
  /** Spends part of a decision's work budget. False if it is exhausted. */
  readonly spend: Spend
  /** True if a rule may forbid a file by its own name, not only together with its folder. */
  readonly mayForbid: (name: string) => boolean
  /** True if the command does not use a file. Receives its path relative to the folder. */
  readonly isUnused: (path: string) => boolean
}

/**
 * The first file in a folder that blocks the use of the whole folder, because a deny or ask rule
 * covers it, or because it is a link to such a file or to a target outside. Undefined if there is
 * none.
 */
export function findInside(
  operation: FileOperation,
  folder: Spellings,
  entries: readonly FolderEntry[],
  { lists, comparison, judge, spend, mayForbid, isUnused }: FolderJudge,
): { readonly why: string; readonly rule?: Rule } | undefined {
  if (!spend(entries.length)) return { why: TOO_MUCH }
  const { findMatch, findHardLink, hasHardLinks } = comparison
  const forbidding = [lists.deny, lists.ask]
  const isUsed = operation.only && namesMatch(operation.only)
  const sharesFiles = forbidding.some((rules) => hasHardLinks(rules))
  /** Covered folders of which only some files are used. */
  const covered: { readonly path: string; readonly rule: Rule }[] = []
  /** Folders whose own names are used. The receiving program may use their whole content. */
  const wholes: string[] = []
  for (const { path, kind } of entries) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isWhole =
      !isUsed || (operation.each && isUsed(name)) || wholes.some((each) => path.startsWith(each))
    if (kind === 'folder' && isUsed && isWhole) wholes.push(`${path}/`)
    if (kind !== 'folder' && !isWhole && !isUsed(name)) continue
    const around = covered.find((each) => path.startsWith(each.path))
    if (around && kind !== 'folder') {
      if (isUnused(path)) continue
      return coveredBy(path, around.rule)
    }
    const names = folder.names.map((each) => `${each === '/' ? '' : each}/${path}`)
    const file: Spellings = { given: names[0]!, real: names[0]!, names, cautions: [] }
    if (mayForbid(name)) {
      const rule = firstRule((rules) => findMatch(rules, operation, file))
      if (rule && kind === 'folder' && (!isWhole || operation.tracked || operation.sinceHead))
        covered.push({ path: `${path}/`, rule })
      else if (rule && !isUnused(path)) return coveredBy(path, rule)
    }
    if (kind === 'link' && !operation.removes) {
      if (!spend(LINK)) return { why: TOO_MUCH }
      // Some programs follow links.
      const { verdict, why, rule } = judge({ ...plain(operation), path: file.given })
      if (verdict !== 'allow') return { why: `contains the link ${path}: ${why}`, rule }
    }
    if (kind === 'file' && sharesFiles) {
      const real = `${folder.real}/${path}`
      const rule = firstRule((rules) => findHardLink(rules, operation, { ...file, real }))
      if (rule && !isUnused(path)) return coveredBy(path, rule)
    }
  }
  return undefined

  function firstRule(find: (rules: PathRuleLists['deny']) => Rule | undefined): Rule | undefined {
    return find(lists.deny) ?? find(lists.ask)
  }
}

function coveredBy(path: string, rule: Rule): { why: string; rule: Rule } {
  return { why: `uses a whole folder, and the rule ${rule.text} covers ${path} in it`, rule }
}

/** The operation on a single file. */
function plain(operation: FileOperation): FileOperation {
  const { each: _, only: __, implied: ___, ...rest } = operation
  return rest
}

/**
 * Judges the files in a folder whose names a command prints for another command. Returns the first
 * part that isn't allowed: a link to a target outside, a name that may be parsed as an option, or a
 * name that may be split into several.
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
  if (operation.stale) return ask('other commands in the text may change these files')
  const target = fileSystem.identify?.(folder)
  if (!target) return ask("the folder doesn't exist yet, so its files can't be checked")
  if (!target.isFolder) return undefined
  const tracked = each.tracked ? trackedIn(folder, fileSystem) : undefined
  const entries = tracked ?? fileSystem.listed?.(folder, true)
  if (!entries) return ask('not all files in it can be checked')
  const writes = rest.kind === 'write'
  if (writes && entries.length > MAX_WRITTEN)
    return ask(`would write up to ${entries.length} files`)
  if (!spend(entries.length)) return ask(TOO_MUCH)
  const isPrinted = only && namesMatch(only)
  for (const entry of entries) {
    // Git also prints the content of a folder whose name matches.
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

/** The files that git tracks in a folder of the repository. Any of them may have become a link. */
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

/** The maximum number of written files, which are judged one by one. */
const MAX_WRITTEN = 2000

/** The names that a name with whitespace or quotes may be split into. */
const piecesOf = (name: string): string[] =>
  [...name.replace(/['"\\]/g, '').split(/\s+/), ...name.split(/[\s'"\\]+/)].filter(Boolean)

/** The maximum number of copied files to judge one by one. */
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
    // A rule for this file alone would not allow the copy.
    const asking = { ...part, verdict: 'ask', why, firm: true, subject: copy } as const
    return part.verdict === 'deny' ? part : asking
  }
  const { path, cwd } = operation
  if (path === undefined || cwd === undefined) return undefined
  if (copy.stale === 'path' || (copy.stale && !fileSystem.identify))
    return ask('other commands in the text may change the copied files')
  const full = source.startsWith('/') ? source : `${cwd}/${source}`
  if (isLinkItself(full, fileSystem))
    return ask(`${source} is a link, which may lead elsewhere under another name`)
  const real = realPath(full, fileSystem)
  const found = real === undefined ? undefined : fileSystem.identify?.(real)
  // Neither a file that an earlier command creates nor its content can be checked yet.
  if (!found || real === undefined)
    return holdsProtected(path) ? ask(`${source} can't be checked before it exists`) : undefined
  if (copy.stale && (found.isFolder || holdsProtected(path)))
    return ask('other commands in the text may change the copied files')
  if (!found.isFolder) return undefined
  const entries = fileSystem.listed?.(real, true)
  if (!entries || entries.length > MAX_FILES) return ask(`copies too many files from ${source}`)
  for (const entry of entries) {
    if (entry.kind === 'link') return ask(`copies the link ${source}/${entry.path}`)
    if (!spend(LINK)) return ask(TOO_MUCH)
    const part = judge({ ...operation, path: `${path}/${entry.path}` })
    const isImplied = operation.implied && part.unspoken
    if (part.verdict !== 'allow' && !isImplied) return { ...part, firm: true }
  }
  return undefined
}
