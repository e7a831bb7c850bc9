// Folder: Paths, their real targets, and the patterns that match them.
import type { DecisionPart } from '../decide/decision.ts'
import type { FolderEntry } from '../decide/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import { decidedBy, type Rule } from '../rule/rule.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { forbiddenNames } from '../decide/forbidden-names.ts'
import { compare } from './compare.ts'
import { judgeBrought, judgeEach, findInside, MAX_WORK, type Spend } from './judge-many.ts'
import { fold } from './glob.ts'
import { showInvisible } from './invisible.ts'
import { holdsProtected, protectedBy, type ProtectionSettings } from './protected.ts'
import { realPath, isWithin, relativeTo, segmentsOf } from './segments.ts'
import { pathRules } from './rules.ts'
import { type Spellings, spellingsOf, temporaryFile } from './spellings.ts'
import { changedEntries, sameIn, trackedEntries, unchangedIn } from './tracked-entries.ts'

/** Returns a judge for operations on files. The rules are parsed once for each list. */
export function judgeFile(
  rules: readonly Rule[],
  fileSystem: SearchableFileSystem,
  protection: ProtectionSettings = {},
): (operation: FileOperation) => DecisionPart {
  const lists = pathRules(rules)
  const comparison = compare(lists, fileSystem)
  const {
    baseFolders,
    foldedFolders,
    findMatch,
    findBelow,
    findAllowing,
    findHardLink,
    isReadingNarrowed,
  } = comparison

  let left = MAX_WORK
  const spend: Spend = (work) => (left -= work) >= 0

  const judge = (operation: FileOperation): DecisionPart => {
    const { kind, path } = operation
    const what = path === undefined ? operation.because : `${kind} ${showInvisible(path)}`
    const temporary = temporaryFile(operation, fileSystem)
    const spellings = temporary ?? spellingsOf(operation, fileSystem)
    const part = (verdict: DecisionPart['verdict'], why: string, rule?: Rule): DecisionPart => ({
      what,
      verdict,
      why: withTarget(why, spellings, path),
      subject: operation,
      real: spellings?.real,
      rule,
    })

    if (spellings?.refusal !== undefined) return part('deny', spellings.refusal)
    const denied = findMatch(lists.deny, operation, spellings)
    if (denied) return part('deny', decidedBy(denied), denied)
    const twin = spellings && findHardLink(lists.deny, operation, spellings)
    if (twin) return part('deny', `another name of a file that the rule ${twin.text} denies`, twin)
    const asked = findMatch(lists.ask, operation, spellings)
    if (asked) return part('ask', decidedBy(asked), asked)
    const askedTwin = spellings && findHardLink(lists.ask, operation, spellings)
    if (askedTwin)
      return part(
        'ask',
        `another name of a file for which the rule ${askedTwin.text} requires approval`,
        askedTwin,
      )
    if (!spellings) return part('ask', 'the path is unknown until it runs')
    const [caution] = spellings.cautions
    if (caution !== undefined) return part('ask', caution)
    if (operation.stale === 'path' && kind !== 'list')
      return { ...part('ask', 'another command in the text may put a link there'), firm: true }

    if (temporary) {
      if (temporary.leadsOut) return part('ask', 'a link in the temporary folder of the sandbox')
      // Any command may have written the file, so it must not run as code.
      if (kind === 'read' && !operation.data)
        return { ...part('ask', 'may run what a command has written'), firm: true }
      return part('allow', 'in the temporary folder of the sandbox')
    }

    const paths = spellings.names.map(segmentsOf)
    if (kind !== 'list' && spellings.names.every((name) => name === DEV_NULL))
      return part('allow', 'nothing is stored there')
    if (operation.removes || operation.moves) {
      const folders = foldedFolders.folders
      const critical = firstOf(spellings.names, (name) =>
        criticalFolder(foldedFolders.shaped(name), folders),
      )
      if (critical !== undefined)
        return part('ask', `${operation.moves ? 'moves' : 'removes'} ${critical}`)
    }
    if (kind === 'write') {
      const why = firstOf(paths, (names) =>
        firstOf(baseFolders.anywhere(names), (path) =>
          protectedBy(path, protection, operation.removes),
        ),
      )
      if (why !== undefined) return part('ask', `protected: ${why}`)
      if (operation.anything && spellings.names.some(holdsProtected))
        return part('ask', 'protected: programs obey the files in a folder with this name')
      if (makesRepository(spellings.real, fileSystem))
        return part('ask', 'protected: makes git treat the folder as a separate repository')
      if (isObeyedByGit(spellings.real, operation, fileSystem))
        return part('ask', 'protected: git settings refer to it, so git may run it')
      const target = fileSystem.identify?.(spellings.real)
      if (target && !target.isFolder && target.linkCount > 1)
        return part(
          'ask',
          `the file has ${target.linkCount} hard links, and would change under each name`,
        )
    }
    const reached = findBelow(operation, spellings)
    if (reached) {
      // Removing a file shows nothing, and files that the text itself creates are judged
      // separately.
      const isMissing = fileSystem.identify?.(spellings.real) === undefined
      const isUnknown =
        (operation.past && !operation.sinceHead) ||
        (operation.stale && !operation.removes) ||
        // The moved file may not exist yet.
        (operation.moves && isMissing && !isVain(operation, fileSystem))
      const entries = isUnknown ? undefined : entriesFor(operation, spellings.real, fileSystem)
      if (!entries && !(isMissing && (operation.removes || isVain(operation, fileSystem))))
        return part(
          'ask',
          `uses a whole folder, which the rule ${reached.text} may partly cover`,
          reached,
        )
      const inside = findInside(operation, spellings, entries ?? [], {
        lists,
        comparison,
        judge,
        spend,
        mayForbid: forbiddenNames(rules) ?? (() => true),
        isUnused: unusedFor(operation, spellings.real, fileSystem),
      })
      if (inside) return part('ask', inside.why, inside.rule ?? reached)
    }

    const inside = paths.every((names) => baseFolders.contains(names))
    const allowed = findAllowing(operation, spellings)
    if (allowed) return part('allow', decidedBy(allowed), allowed)
    if (kind === 'write') {
      const why = `no rule allows writing ${inside ? 'it' : 'outside the workspace'}`
      return { ...part('ask', why), ...(inside && { unspoken: true }) }
    }
    if (kind === 'read' && fileSystem.wrote?.(spellings.real))
      return part('allow', 'written by a tool to be read')
    if (!inside) return part('ask', 'outside the workspace')
    return kind === 'read' && isReadingNarrowed()
      ? part('ask', 'not one of the workspace files that rules allow reading')
      : part('allow', 'in the workspace')
  }

  return (operation) => {
    const part = judge(operation)
    if (operation.brings !== undefined)
      return judgeBrought(operation, operation.brings, fileSystem, { judge, spend }) ?? part
    if (!operation.each || part.verdict !== 'allow' || part.real === undefined) return part
    return judgeEach(operation, part.real, fileSystem, { judge, spend }) ?? part
  }
}

/** The files in a folder that an operation may use, or undefined if unknown. */
function entriesFor(
  { sinceHead, tracked, anywhere }: FileOperation,
  folder: string,
  fileSystem: SearchableFileSystem,
): readonly FolderEntry[] | undefined {
  if (sinceHead) return changedEntries(folder, fileSystem, sinceHead)
  if (tracked) return trackedEntries(folder, fileSystem)
  return fileSystem.listed?.(folder, true, anywhere?.without)
}

/** Returns a test for files that an operation does not use. */
function unusedFor(
  { sinceHead, tracked }: FileOperation,
  folder: string,
  fileSystem: SearchableFileSystem,
): (path: string) => boolean {
  if (sinceHead) return sameIn(folder, fileSystem, sinceHead)
  return tracked ? unchangedIn(folder, fileSystem, tracked) : () => false
}

const DEV_NULL = '/dev/null'

function withTarget(
  why: string,
  spellings: Spellings | undefined,
  path: string | undefined,
): string {
  if (!spellings || path === undefined || spellings.real === spellings.given) return why
  return `${why} (${showInvisible(path)} leads to ${showInvisible(spellings.real)})`
}

/**
 * True if a file would make git treat a workspace folder as a bare repository and apply its
 * settings.
 */
const makesRepository = (path: string, fileSystem: SearchableFileSystem): boolean =>
  fileSystem.roots.some((root) => {
    const real = realPath(root, fileSystem) ?? root
    return (
      path.toUpperCase() === `${real}/HEAD`.toUpperCase() && !fileSystem.identify?.(`${real}/.git`)
    )
  })

/**
 * True if a repository's settings refer to a file or a folder that contains it or, if it is moved
 * with its content, to a file in it.
 */
const isObeyedByGit = (
  path: string,
  { moves }: FileOperation,
  fileSystem: SearchableFileSystem,
): boolean => {
  const own = fold(path)
  const obeyed = fileSystem.roots.flatMap((root) => fileSystem.obeyedByGit?.(root) ?? [])
  return obeyed.map(fold).some((each) => isWithin(own, each) || (moves && isWithin(each, own)))
}

/**
 * True if a move of a missing file certainly moves nothing. Git may move files that are only in its
 * index.
 */
const isVain = (
  { moves, implied, stale }: FileOperation,
  fileSystem: SearchableFileSystem,
): boolean => moves === true && !implied && stale === undefined && fileSystem.identify !== undefined

function firstOf<Item, Found>(
  items: Iterable<Item>,
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** The role of a folder whose removal always needs approval. */
function criticalFolder(
  path: readonly string[],
  folders: readonly (readonly string[])[],
): string | undefined {
  if (path.length === 0) return 'the root of the file system'
  if (path.length === 1) return 'a folder at the root of the file system'
  const isHome = path.length === 2 && (path[0] === 'home' || path[0] === 'users')
  if (isHome) return 'a home folder'
  if (path.length === 2 && (path[0] === 'mnt' || path[0] === 'volumes')) return 'a mounted disk'
  return folders.some((folder) => relativeTo(path, folder))
    ? 'a folder that contains the workspace or the home folder'
    : undefined
}
