import { readdirSync, existsSync, lstatSync, realpathSync } from 'node:fs'
import { resolve, dirname } from 'node:path'
import { createHash } from 'node:crypto'
import { ObjectStore, OpenFiles } from './object-store.ts'
import type { IndexEntry } from './repository.ts'
import { readSmallFile, readBytes } from './read-file.ts'
import { refreshesIndex } from './obeyed-files.ts'

/** The mode and hash of each file, by path. */
type Files = ReadonlyMap<string, string>

/** The maximum number of files to compare. */
const MAX_FILES = 20_000

/**
 * The files that differ between the commit in HEAD and the index, relative to the top folder.
 * Undefined if unknown because objects are elsewhere or replaced. Other commits are never looked
 * up, since resolving their names and parents depends on too much.
 */
export function changedSinceHead(
  gitFolder: string,
  entries: readonly IndexEntry[],
): ReadonlySet<string> | undefined {
  const files = new OpenFiles()
  try {
    const common = resolve(gitFolder, (readSmallFile(`${gitFolder}/commondir`) ?? '').trim())
    const packed = readSmallFile(`${common}/packed-refs`, MAX_PACKED_REFS) ?? ''
    if (areReplaced(common, packed)) return undefined
    const store = new ObjectStore(`${common}/objects`, files)
    const head = headOf(gitFolder, common, packed)
    const commit = head === undefined ? undefined : store.read(head)
    const [, tree] = /^tree ([0-9a-f]{40})\n/.exec(commit?.content.toString('latin1') ?? '') ?? []
    if (commit?.type !== 'commit' || tree === undefined) return undefined
    const before = new Map<string, string>()
    return addFiles(tree, '', before, store) ? differing(before, indexed(entries)) : undefined
  } catch {
    return undefined
  } finally {
    files.close()
  }
}

const MAX_PACKED_REFS = 2_000_000

/** True if objects may have replacements or are stored elsewhere. */
const areReplaced = (common: string, packed: string): boolean =>
  packed.includes('refs/replace/') ||
  hasEntries(`${common}/refs/replace`) ||
  readSmallFile(`${common}/objects/info/alternates`) !== undefined

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch {
    return false
  }
}

/** The hash in HEAD, or of the branch in HEAD. */
function headOf(git: string, common: string, packed: string): string | undefined {
  const head = readSmallFile(`${git}/HEAD`) ?? ''
  const [, branch] = /^ref: (refs\/heads\/[\w./-]+)\n$/.exec(head) ?? []
  if (branch === undefined) return HASH_LINE.exec(head)?.[1]
  if (branch.includes('..')) return undefined
  const own = readSmallFile(`${common}/${branch}`)
  if (own !== undefined) return HASH_LINE.exec(own)?.[1]
  const line = packed.split('\n').find((each) => each.slice(41) === branch)
  return HASH_LINE.exec(`${line?.slice(0, 40)}\n`)?.[1]
}

const HASH_LINE = /^([0-9a-f]{40})\n$/
const FOLDER = 0o40000

/** Adds the files of a tree. False if there are too many or a tree is missing. */
function addFiles(
  tree: string,
  path: string,
  found: Map<string, string>,
  store: ObjectStore,
): boolean {
  const object = store.read(tree)
  if (object?.type !== 'tree' || path.length > 4000) return false
  const { content } = object
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at)
    const end = content.indexOf(0, space)
    if (space < 0 || end < 0 || found.size > MAX_FILES) return false
    const mode = Number.parseInt(content.toString('latin1', at, space), 8)
    const hash = content.toString('hex', end + 1, end + 21)
    const full = path + content.toString('utf8', space + 1, end)
    if (found.has(full) || full.includes('\ufffd')) return false
    if (mode !== FOLDER) found.set(full, `${mode} ${hash}`)
    else if (!addFiles(hash, `${full}/`, found, store)) return false
    at = end + 21
  }
  return true
}

/**
 * The files in an index. A file with a conflict has several entries and is never equal to another
 * version.
 */
function indexed(entries: readonly IndexEntry[]): Files {
  const found = new Map<string, string>()
  for (const { name, mode, hash } of entries) {
    // Names in encodings other than UTF-8 would look alike.
    if (mode === FOLDER || name.includes('\ufffd')) throw new Error('Unsupported index entry.')
    found.set(name, found.has(name) ? 'conflict' : `${mode} ${hash ?? 'other'}`)
  }
  return found
}

/**
 * The files that differ. Throws if a commit of another repository differs, because git may show
 * changes inside it.
 */
function differing(before: Files, after: Files): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const)
    for (const [path, entry] of one) {
      if (other.get(path) === entry) continue
      if (entry.startsWith(REPOSITORY)) throw new Error('A nested repository differs.')
      changed.add(path)
    }
  return changed
}

const REPOSITORY = `${0o160000} `

/** The maximum size of a file to hash, in bytes. Larger files count as changed. */
const LARGEST = 1_000_000

/**
 * True if a tracked file equals its version in git, so that `git diff` shows nothing. Only files
 * without attributes qualify, since attributes can make git convert content before comparing.
 */
export function isUnchanged(
  file: string,
  entries: readonly IndexEntry[],
  { root, git }: { readonly root: string; readonly git: string },
): boolean {
  const folders = file.split('/').map((_, at, names) => names.slice(0, at).join('/'))
  const attributes = folders.map((folder) => `${folder}${folder && '/'}.gitattributes`)
  const [entry, another] = entries.filter(({ name }) => name === file || attributes.includes(name))
  // A file with a conflict has several entries.
  if (entry?.name !== file || entry.hash === undefined || another) return false
  const places = [...attributes.map((path) => `${root}/${path}`), `${git}/info/attributes`]
  if (places.some((path) => existsSync(path))) return false
  try {
    // Git does not follow links.
    const folder = dirname(`${root}/${file}`)
    if (realpathSync(folder) !== folder) return false
    if (!lstatSync(`${root}/${file}`).isFile()) return false
    const content = readBytes(`${root}/${file}`, LARGEST)
    // Git may be configured to convert line endings.
    if (!content || content.includes(13)) return false
    const hash = createHash('sha1').update(`blob ${content.length}\0`).update(content)
    return hash.digest('hex') === entry.hash
  } catch {
    return false
  }
}

/**
 * True if git certainly doesn't list a tracked file as changed. Git lists it even if only its mode
 * changed and, with some settings, whenever the file's metadata changed.
 */
export function isClean(
  file: string,
  entries: readonly IndexEntry[],
  place: { readonly root: string; readonly git: string },
): boolean {
  const entry = entries.find(({ name }) => name === file)
  if (!entry || !isUnchanged(file, entries, place)) return false
  const found = lstatSync(`${place.root}/${file}`, { throwIfNoEntry: false })
  if (!found) return false
  const mode = found.mode & 0o100 ? 0o100755 : 0o100644
  return mode === entry.mode && refreshesIndex(place.git, place.root)
}
