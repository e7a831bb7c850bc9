import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { refreshesIndex } from './obeyed-files.ts'
import type { IndexEntry } from './repository.ts'
import { readBytes } from './read-file.ts'

/** Larger files count as changed. */
const LARGEST = 1_000_000

/**
 * Whether a tracked file has the content that git has for it, so that `git diff` shows nothing of it. Only if no attributes can
 * make git convert it first: with those, what is the same on disk may differ for git.
 */
export function isUnchanged(
  file: string,
  entries: readonly IndexEntry[],
  { root, git }: { readonly root: string; readonly git: string },
): boolean {
  const folders = file.split('/').map((_, at, names) => names.slice(0, at).join('/'))
  const attributes = folders.map((folder) => `${folder}${folder && '/'}.gitattributes`)
  const [entry, another] = entries.filter(({ name }) => name === file || attributes.includes(name))
  // In a conflict there are several.
  if (entry?.name !== file || entry.hash === undefined || another) return false
  const places = [...attributes.map((path) => `${root}/${path}`), `${git}/info/attributes`]
  if (places.some((path) => existsSync(path))) return false
  try {
    // Git does not look behind links.
    const folder = dirname(`${root}/${file}`)
    if (realpathSync(folder) !== folder) return false
    if (!lstatSync(`${root}/${file}`).isFile()) return false
    const content = readBytes(`${root}/${file}`, LARGEST)
    // Git may be told to convert the ends of lines.
    if (!content || content.includes(13)) return false
    const hash = createHash('sha1').update(`blob ${content.length}\0`).update(content)
    return hash.digest('hex') === entry.hash
  } catch {
    return false
  }
}

/**
 * Whether git certainly doesn't list a tracked file as changed. It does so even if only the mode has changed, and, if settings say
 * so, whenever the system reports something else about the file than before.
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
