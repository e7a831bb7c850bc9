import { resolve } from 'node:path'
import { ObjectStore, OpenFiles } from './object-store.ts'
import { areReplaced, packedRefs, refOf } from './refs.ts'
import type { IndexEntry } from './repository.ts'
import { readSmallFile } from './small-file.ts'
import type { ComparedSides } from '../decide/file-system.ts'

/** Files with their modes and hashes, by path. */
type Files = ReadonlyMap<string, string>

/** More files than that are not compared. */
const MAX_FILES = 20_000

/**
 * The files that differ between two commits, or between a commit and the index, relative to the top folder. Undefined if that
 * cannot be told: a revision is written in another way than with names, `~` and `^`, or objects are elsewhere or replaced.
 */
export function changedFiles(
  gitFolder: string,
  entries: readonly IndexEntry[],
  { from, to }: ComparedSides,
): ReadonlySet<string> | undefined {
  const files = new OpenFiles()
  try {
    const common = resolve(gitFolder, (readSmallFile(`${gitFolder}/commondir`) ?? '').trim())
    const refs = packedRefs(common)
    if (areReplaced(common, refs)) return undefined
    const store = new ObjectStore(`${common}/objects`, files)
    const commits = new Commits(store, (name) => refOf(name, gitFolder, common, refs))
    if (to === 'index' || to === 'files') {
      const tree = from === 'parent' ? undefined : commits.treeOf(from.commit)
      const before = tree === undefined ? undefined : commits.filesOf(tree, EMPTY)
      return before && differing(before, indexed(entries))
    }
    const [one, other] =
      from === 'parent'
        ? commits.withParent(to.commit)
        : [commits.treeOf(from.commit), commits.treeOf(to.commit)]
    if (one === undefined || other === undefined) return undefined
    const [before, after] = [commits.filesOf(one, other), commits.filesOf(other, one)]
    return before && after && differing(before, after)
  } catch {
    return undefined
  } finally {
    files.close()
  }
}

const HASH = /^[0-9a-f]{40}$/
/** A name that is no abbreviated hash, and how many commits before it: `HEAD~2`, `main^`. */
const REVISION =
  /^(?<name>@|(?!(?:.*-g)?[0-9a-f]{4,40}(?:[~^]|$))[A-Za-z_][\w./-]*|[0-9a-f]{40})(?<steps>(?:[~^]\d*)*)$/
const EMPTY = 'empty'

/** The commits of a repository, and the files in them. */
class Commits {
  readonly #store: ObjectStore
  readonly #refOf: (name: string) => string | undefined
  #left = MAX_FILES

  constructor(store: ObjectStore, refOf: (name: string) => string | undefined) {
    this.#store = store
    this.#refOf = refOf
  }

  /** The tree of a revision. */
  treeOf(revision: string): string | undefined {
    return this.#commit(revision)?.tree
  }

  /** The trees of the only parent of a commit, and of the commit. */
  withParent(revision: string): [string | undefined, string | undefined] {
    const commit = this.#commit(revision)
    if (!commit || commit.parents.length > 1) return [undefined, undefined]
    const [parent] = commit.parents
    return [parent === undefined ? EMPTY : this.#read(parent)?.tree, commit.tree]
  }

  /** The files of a tree, except those that are the same in another one. */
  filesOf(tree: string, other: string): Files | undefined {
    const found = new Map<string, string>()
    return this.#collect(tree, other, '', found) ? found : undefined
  }

  #collect(tree: string, other: string, path: string, found: Map<string, string>): boolean {
    const [own, theirs] = [this.#entries(tree), this.#entries(other)]
    if (!own || !theirs || path.length > 4000) return false
    for (const [name, { mode, hash }] of own) {
      if (this.#left-- <= 0) return false
      const twin = theirs.get(name)
      if (twin?.hash === hash && twin.mode === mode) continue
      const full = path + name
      if (mode !== FOLDER) found.set(full, `${mode} ${hash}`)
      else if (!this.#collect(hash, twin?.mode === FOLDER ? twin.hash : EMPTY, `${full}/`, found))
        return false
    }
    return true
  }

  #commit(revision: string): Commit | undefined {
    const { name, steps = '' } = REVISION.exec(revision)?.groups ?? {}
    if (name === undefined) return undefined
    const start = HASH.test(name) ? name : this.#refOf(name === '@' ? 'HEAD' : name)
    let commit = start === undefined ? undefined : this.#read(start)
    for (const [, mark, digits] of steps.matchAll(/([~^])(\d*)/g)) {
      const count = digits === '' ? 1 : Number(digits)
      if (mark === '~') for (let left = count; left > 0; left--) commit = this.#parent(commit, 1)
      else if (count > 0) commit = this.#parent(commit, count)
    }
    return commit
  }

  #parent(commit: Commit | undefined, which: number): Commit | undefined {
    const hash = commit?.parents[which - 1]
    return hash === undefined ? undefined : this.#read(hash)
  }

  /** A commit, or the one that a tag is for. */
  #read(hash: string, tags = 5): Commit | undefined {
    const object = this.#store.read(hash)
    if (object?.type === 'tag' && tags > 0) {
      const [, inner] = /^object ([0-9a-f]{40})\n/.exec(object.content.toString('latin1')) ?? []
      return inner === undefined ? undefined : this.#read(inner, tags - 1)
    }
    if (object?.type !== 'commit') return undefined
    const [head = ''] = object.content.toString('latin1').split('\n\n', 1)
    const [, tree] = /^tree ([0-9a-f]{40})$/m.exec(head) ?? []
    const parents = [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, each]) => each!)
    return tree === undefined ? undefined : { tree, parents }
  }

  #entries(tree: string): ReadonlyMap<string, TreeEntry> | undefined {
    if (tree === EMPTY) return new Map()
    const object = this.#store.read(tree)
    if (object?.type !== 'tree') return undefined
    const { content } = object
    const found = new Map<string, TreeEntry>()
    for (let at = 0; at < content.length;) {
      const space = content.indexOf(32, at)
      const end = content.indexOf(0, space)
      if (space < 0 || end < 0) return undefined
      const mode = Number.parseInt(content.toString('latin1', at, space), 8)
      const hash = content.toString('hex', end + 1, end + 21)
      found.set(content.toString('utf8', space + 1, end), { mode, hash })
      at = end + 21
    }
    return found
  }
}

interface Commit {
  readonly tree: string
  readonly parents: readonly string[]
}

interface TreeEntry {
  readonly mode: number
  readonly hash: string
}

const FOLDER = 0o40000

/** The files of an index. Those with a conflict have several entries, and differ from any other. */
function indexed(entries: readonly IndexEntry[]): Files {
  const found = new Map<string, string>()
  for (const { name, mode, hash } of entries) {
    if (mode === FOLDER) throw new Error('A folder in the index.')
    found.set(name, found.has(name) ? 'conflict' : `${mode} ${hash ?? 'other'}`)
  }
  return found
}

/** The files that differ. Throws if a commit of another repository does: git may show what has changed in that. */
function differing(before: Files, after: Files): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const)
    for (const [path, entry] of one) {
      if (other.get(path) === entry) continue
      if (entry.startsWith(REPOSITORY)) throw new Error('Another repository.')
      changed.add(path)
    }
  return changed
}

const REPOSITORY = `${0o160000} `
