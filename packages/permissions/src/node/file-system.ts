import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type {
  FileIdentity,
  FileSystemView,
  FileVersion,
  FolderEntry,
} from '../decide/file-system.ts'
import { obeyedAround, repositoryAround } from './repository.ts'
import { homeDirectory } from './home.ts'
import { readRegularFile } from './read-file.ts'

/** The entries of a folder. Links are not followed. */
const listFolder: NonNullable<FileSystemView['list']> = async (
  folder,
  { deep, most, without = [] },
) => {
  const found: FolderEntry[] = []
  const waiting = ['']
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const names = await namesIn(`${folder}/${inner}`)
    if (!names || found.length + names.length > most) return undefined
    // A name that is not UTF-8 cannot be looked up, so its file is unknown.
    if (names.some(({ name }) => name.includes('\ufffd'))) return undefined
    for (const entry of names) {
      const path = inner + entry.name
      const kind = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'file'
      if (kind === 'folder' && deep && !without.includes(entry.name)) waiting.push(`${path}/`)
      found.push({ path, kind })
    }
  }
  return found
}

const readTyped = (folder: string) => readdir(folder, { withFileTypes: true })

/** The resolution of change times in milliseconds. Systems update them only this often. */
const TICK = 100

/** The options of `nodeFileSystem`: the starting folder of calls, and the workspace. */
export interface NodeFileSystemOptions {
  /** The absolute path of the folder in which calls start. */
  readonly cwd: string
  /** Default: the user's home folder. */
  readonly home?: string | undefined
  /** The folders of the workspace. Default: `cwd` alone. */
  readonly roots?: readonly string[] | undefined
  /** Default: the platform of this process. */
  readonly platform?: FileSystemView['platform'] | undefined
}

/** A view of the real file system, for `decide`. It only reads. Throws a TypeError for a relative path. */
export function nodeFileSystem(options: NodeFileSystemOptions): FileSystemView {
  const {
    cwd,
    home = homeDirectory(process.env),
    roots = [cwd],
    platform = thisPlatform(),
  } = options
  for (const [name, path] of [
    ['cwd', cwd],
    ['home', home],
    ...roots.map((root) => ['roots', root]),
  ])
    if (typeof path !== 'string' || !isAbsolute(path))
      throw new TypeError(`${name} must be an absolute path, not ${path}. Use path.resolve().`)
  const caseSensitive = isCaseSensitive(cwd, platform)
  return {
    cwd,
    home,
    roots,
    platform,
    caseSensitive,
    follow,
    followMany,
    identify,
    version: fileVersion,
    list: listFolder,
    repository: repositoryAround,
    obeyedByGit: obeyedAround,
  }
}

function thisPlatform(): FileSystemView['platform'] {
  return process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux'
}

/** The maximum number of links in a row. More are treated as a loop, as in Linux. */
const MAX_LINKS = 40

/** Resolves a path as the system does: a link is followed before the `..` after it. */
function follow(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || path.includes('\0')) return undefined
  const names: string[] = []
  const walked: string[] = []
  const ahead = partsOf(path).reverse()
  let links = 0
  let exists = true
  while (ahead.length > 0) {
    const part = ahead.pop()!
    if (part === '..') {
      walked.pop()
      exists = true
      continue
    }
    walked.push(part)
    if (!exists) continue
    const found = linkAt(`/${walked.join('/')}`)
    if (found === 'unknown') return undefined
    exists = found !== 'nothing'
    if (typeof found !== 'object') continue
    if (++links > MAX_LINKS) return undefined
    walked.pop()
    if (found.target.startsWith('/')) walked.length = 0
    ahead.push(...partsOf(found.target).reverse())
    names.push(`/${[...walked, ...[...ahead].reverse()].join('/')}`)
  }
  names.push(`/${walked.join('/')}`)
  return names
}

/** A `follow` that resolves each folder only once. */
function followMany(): typeof follow {
  const folders = new Map<string, readonly string[] | undefined>()
  return (path) => {
    const end = path.lastIndexOf('/')
    const [folder, name] = [path.slice(0, end), path.slice(end + 1)]
    if (folder === '' || name === '' || name === '.' || name === '..') return follow(path)
    if (!folders.has(folder)) folders.set(folder, follow(folder))
    const names = folders.get(folder)?.map((each) => `${each === '/' ? '' : each}/${name}`)
    const found = names && linkAt(names.at(-1)!)
    return found === 'plain' || found === 'nothing' ? names : follow(path)
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

function linkAt(path: string): 'plain' | 'nothing' | 'unknown' | { readonly target: string } {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return 'nothing'
    return found.isSymbolicLink() ? { target: readlinkSync(path) } : 'plain'
  } catch (error) {
    // A file in place of a folder contains nothing. Without permission, or with a name that is too
    // long, the content is unknown.
    return codeOf(error) === 'ENOTDIR' ? 'nothing' : 'unknown'
  }
}

function identify(path: string): FileIdentity | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!found) return undefined
    return {
      id: `${found.dev} ${found.ino}`,
      isFolder: found.isDirectory(),
      linkCount: Number(found.nlink),
    }
  } catch {
    // No permission, or not a valid path.
    return undefined
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/**
 * True unless the nearest folder with a letter in its name can also be found with its case swapped.
 */
function isCaseSensitive(cwd: string, platform: FileSystemView['platform']): boolean {
  const parts = partsOf(cwd)
  for (let at = parts.length; at > 0; at--) {
    const name = parts[at - 1]!
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
    if (other === name) continue
    const folder = `/${parts.slice(0, at - 1).join('/')}`
    const here = identify(`${folder}/${name}`)
    if (here) return identify(`${folder}/${other}`)?.id !== here.id
  }
  return platform === 'linux'
}

/**
 * The version of a file. Times can be set back, and several changes can have the same time, so the
 * version is a hash of the content. For a large file it is the metadata reported by the system,
 * which includes a change time that users cannot set.
 */
function fileVersion(path: string, most: number): FileVersion | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!found || found.isDirectory()) return undefined
    const content = found.isFile() && found.size <= most ? readRegularFile(path, most) : undefined
    if (content && 'bytes' in content) {
      const hash = createHash('sha256').update(content.bytes).digest('hex')
      return { version: hash, bytes: content.bytes.length }
    }
    const reported = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
    const age = Date.now() - Number(found.ctimeMs)
    // Another change within the same tick would look the same.
    return { version: age < TICK ? `${reported} ${randomUUID()}` : reported, bytes: 0 }
  } catch {
    // No permission, or not a valid path.
    return undefined
  }
}

async function namesIn(folder: string): Promise<Awaited<ReturnType<typeof readTyped>> | undefined> {
  try {
    return await readTyped(folder)
  } catch (error) {
    // Commands can't read unreadable files either. The other two codes mean that the path isn't a
    // folder or has just been removed. With any other error, the content is unknown.
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' || code === 'ENOTDIR' || code === 'ENOENT' ? [] : undefined
  }
}
