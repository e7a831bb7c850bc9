import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { join as joined } from 'node:path'

// Names need not be UTF-8, so each byte is represented as a character.
const join = (...paths) => Buffer.from(joined(...paths), 'latin1')

/**
 * A folder that is restored after each text. Changes are found by walking it and comparing inodes
 * and change times.
 */
export class Fixture {
  #template
  #folder
  /** The initial state of each path in the folder. */
  #known = new Map()
  /** Paths that are hard links to one file. */
  #links = new Map()

  constructor(template, folder) {
    this.#template = template
    this.#folder = folder
    const inodes = new Map()
    for (const path of walk(template)) {
      const status = lstatSync(join(template, path))
      if (!status.isFile() || status.nlink < 2) continue
      const others = inodes.get(status.ino) ?? []
      inodes.set(status.ino, [...others, path])
      for (const each of [...others, path]) this.#links.set(each, inodes.get(status.ino))
    }
    this.renew()
  }

  /** Restores the initial state, and returns the changed paths. */
  renew() {
    const found = new Set()
    const changed = new Set()
    for (const path of walk(this.#folder)) {
      found.add(path)
      if (this.#known.get(path) !== looks(join(this.#folder, path))) changed.add(path)
    }
    for (const path of this.#known.keys()) if (!found.has(path)) changed.add(path)
    if (changed.size === 0 && this.#known.size > 0) return []
    for (const path of [...changed])
      for (const other of this.#links.get(path) ?? []) changed.add(other)
    // Paths that are not folders in both are removed and recreated.
    const kept = (path) =>
      isFolder(join(this.#folder, path)) && isFolder(join(this.#template, path))
    for (const path of changed)
      if (!kept(path)) rmSync(join(this.#folder, path), { recursive: true, force: true })
    for (const path of walk(this.#template))
      if (!exists(join(this.#folder, path)) || (changed.has(path) && kept(path))) this.#make(path)
    // Times of folders are set last, because creating files in them changes them.
    for (const path of ['', ...walk(this.#template)])
      if (isFolder(join(this.#template, path))) {
        const { mtime } = lstatSync(join(this.#template, path))
        if (lstatSync(join(this.#folder, path)).mtimeMs !== mtime.getTime())
          utimesSync(join(this.#folder, path), mtime, mtime)
      }
    this.#known = new Map(
      [...walk(this.#folder)].map((path) => [path, looks(join(this.#folder, path))]),
    )
    return [...changed].map((path) => join(this.#folder, path).toString())
  }

  #make(path) {
    const [from, to] = [join(this.#template, path), join(this.#folder, path)]
    const kind = lstatSync(from)
    const { mode, mtime } = kind
    const first = this.#links.get(path)?.[0]
    if (kind.isDirectory()) {
      if (!exists(to)) mkdirSync(to)
      chmodSync(to, mode)
    } else if (kind.isSymbolicLink()) {
      symlinkSync(readlinkSync(from, 'buffer'), to)
      lutimesSync(to, mtime, mtime)
    } else if (first !== undefined && first !== path) linkSync(join(this.#folder, first), to)
    else {
      copyFileSync(from, to)
      chmodSync(to, mode)
      utimesSync(to, mtime, mtime)
    }
  }
}

/** All paths in a folder, each folder before its content. */
function* walk(folder, under = '') {
  for (const entry of listed(join(folder, under))) {
    const path = under ? `${under}/${entry.name}` : entry.name
    yield path
    if (entry.isDirectory()) yield* walk(folder, path)
  }
}

function listed(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'latin1' })
  } catch {
    // A command has removed the permission to read the folder.
    chmodSync(folder, 0o700)
    return readdirSync(folder, { withFileTypes: true, encoding: 'latin1' })
  }
}

/**
 * The properties of a file, a link or a folder that indicate a change. The content of a folder is
 * checked separately.
 */
function looks(path) {
  const status = lstatSync(path)
  return `${status.ino} ${status.mode} ${status.isDirectory() ? '' : status.ctimeMs}`
}

const isFolder = (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
const exists = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
