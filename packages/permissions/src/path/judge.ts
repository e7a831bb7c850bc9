import type { DecisionPart } from '../decide/decision.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { Rule } from '../rule/rule.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { compare } from './compare.ts'
import { judgeEach } from './judge-each.ts'
import { showInvisible } from './invisible.ts'
import { protectedBy, type ProtectionSettings } from './protected.ts'
import { pathRules } from './rules.ts'
import { relativeTo, segmentsOf } from './segments.ts'
import { type Spellings, spellingsOf } from './spellings.ts'

/** Decides what may be done to files. Rules are read once for a list of them. */
export function judgeFile(
  rules: readonly Rule[],
  fileSystem: FileSystemView,
  protection: ProtectionSettings = {},
): (operation: FileOperation) => DecisionPart {
  const lists = pathRules(rules)
  const { baseFolders, foldedFolders, meets, reaches, allows, sameFile, narrowed } = compare(
    lists,
    fileSystem,
  )

  const judge = (operation: FileOperation): DecisionPart => {
    const { kind, path } = operation
    const what = path === undefined ? operation.because : `${kind} ${showInvisible(path)}`
    const spellings = spellingsOf(operation, fileSystem)
    const part = (verdict: DecisionPart['verdict'], why: string, rule?: Rule): DecisionPart => ({
      what,
      verdict,
      why: withTarget(why, spellings, path),
      subject: operation,
      ...(spellings && { real: spellings.real }),
      ...(rule && { rule }),
    })

    if (spellings?.refusal !== undefined) return part('deny', spellings.refusal)
    const denied = meets(lists.deny, operation, spellings)
    if (denied) return part('deny', `the rule ${denied.text} denies it`, denied)
    const twin = spellings && sameFile(lists.deny, operation, spellings)
    if (twin) return part('deny', `it is another name of what ${twin.text} denies`, twin)
    const asked = meets(lists.ask, operation, spellings)
    if (asked) return part('ask', `the rule ${asked.text} asks`, asked)
    const askedTwin = spellings && sameFile(lists.ask, operation, spellings)
    if (askedTwin)
      return part('ask', `it is another name of what ${askedTwin.text} asks about`, askedTwin)
    if (!spellings) return part('ask', `nobody can tell which file it would ${kind}`)
    const [doubt] = spellings.doubts
    if (doubt !== undefined) return part('ask', doubt)

    const paths = spellings.names.map(segmentsOf)
    if (kind !== 'list' && spellings.names.every((name) => name === DEV_NULL))
      return part('allow', 'nothing is kept there')
    if (operation.removes) {
      const folders = foldedFolders.folders
      const critical = firstOf(spellings.names, (name) =>
        criticalFolder(foldedFolders.shaped(name), folders),
      )
      if (critical !== undefined) return part('ask', `${critical}: a person decides`)
    }
    if (kind === 'write') {
      const why = firstOf(paths, (names) =>
        firstOf(baseFolders.anywhere(names), (path) => protectedBy(path, protection)),
      )
      if (why !== undefined) return part('ask', `${why}: a person decides`)
      const thing = fileSystem.identify?.(spellings.real)
      if (thing && !thing.isFolder && thing.linkCount > 1)
        return part('ask', `the file has ${thing.linkCount} names, and would change under each`)
    }
    const reached = reaches(operation, spellings)
    if (reached)
      return part(
        'ask',
        `it takes a whole folder, in which the rule ${reached.text} may hold`,
        reached,
      )

    const inside = paths.every((names) => baseFolders.contains(names))
    const allowed = allows(operation, spellings)
    if (allowed) return part('allow', `the rule ${allowed.text} allows it`, allowed)
    if (kind === 'write') {
      const why = `no rule allows writing ${inside ? 'it' : 'outside the workspace'}`
      return { ...part('ask', why), ...(inside && { unspoken: true }) }
    }
    if (kind === 'read' && fileSystem.wrote?.(spellings.real))
      return part('allow', 'a tool wrote it, to be read')
    if (!inside) return part('ask', 'it lies outside the workspace')
    return kind === 'read' && narrowed()
      ? part('ask', 'rules say which files of the workspace may be read, and not this one')
      : part('allow', 'it lies in the workspace')
  }

  return (operation) => {
    const part = judge(operation)
    if (!operation.each || part.verdict !== 'allow' || part.real === undefined) return part
    return judgeEach(operation, part.real, fileSystem, judge) ?? part
  }
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

/** Why a folder must not be removed unasked, if so: with it goes the machine, somebody's home, or the work itself. */
function criticalFolder(
  path: readonly string[],
  folders: readonly (readonly string[])[],
): string | undefined {
  if (path.length === 0) return 'it is the whole disk'
  if (path.length === 1) return 'it is a folder at the top of the disk'
  const isHome = path.length === 2 && (path[0] === 'home' || path[0] === 'users')
  if (isHome) return "it is somebody's home"
  if (path.length === 2 && (path[0] === 'mnt' || path[0] === 'volumes')) return 'it is a whole disk'
  return folders.some((folder) => relativeTo(path, folder))
    ? 'the work, or the home, lies in it'
    : undefined
}
