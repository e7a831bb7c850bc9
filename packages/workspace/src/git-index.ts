import { statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { readRegularFile, readTextFile } from '@toolglot/permissions/node/internal'

/**
 * True if Git tracks a file, so that the file may be part of a cloned repository. Reads the index
 * instead of running Git, because a repository can configure commands that Git runs. True if
 * unknown.
 */
export function isTracked(file: string, repository: string): boolean {
  const path = fold(relative(repository, file).split(sep).join('/'))
  try {
    const index = readIndex(repository)
    if (index === 'none') return false
    if (!index) return true
    for (const name of namesIn(index)) {
      const tracked = fold(name)
      // An entry for a link, a submodule or a sparse folder covers all files inside it.
      const folder = tracked.endsWith('/') ? tracked : `${tracked}/`
      if (path === tracked || path.startsWith(folder)) return true
    }
    return false
  } catch {
    // The index has an unknown format, or it was deleted.
    return true
  }
}

/**
 * The content of a repository's index. `none` if nothing was ever added. Undefined if it cannot be
 * read.
 */
function readIndex(repository: string): Buffer | 'none' | undefined {
  const git = join(repository, '.git')
  if (!statSync(git).isDirectory()) {
    const pointer = readTextFile(git, 4096)
    const text = 'text' in pointer ? pointer.text : ''
    const folder = text.startsWith('gitdir: ') ? text.slice(8).trim() : undefined
    const index = folder && readRegularFile(join(resolve(repository, folder), 'index'), MAX_BYTES)
    return index && 'bytes' in index ? index.bytes : undefined
  }
  const index = readRegularFile(join(git, 'index'), MAX_BYTES)
  if ('missing' in index) return 'none'
  return 'bytes' in index ? index.bytes : undefined
}

const MAX_BYTES = 64 << 20

/** Some file systems ignore case and Unicode normalization. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** The file names in an index; see gitformat-index(5). Throws if the format is unknown. */
function* namesIn(index: Buffer): Iterable<string> {
  const version = index.readUInt32BE(4)
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4)
    throw new RangeError('not an index')
  const count = index.readUInt32BE(8)
  let at = 12
  let previous: Buffer = Buffer.alloc(0)

  for (let entry = 0; entry < count; entry++) {
    const start = at
    const flags = index.readUInt16BE(at + 60)
    at += version > 2 && flags & 0x4000 ? 64 : 62
    if (version === 4) {
      let byte = index.readUInt8(at++)
      let dropped = byte & 0x7f
      while (byte & 0x80) {
        byte = index.readUInt8(at++)
        dropped = ((dropped + 1) << 7) | (byte & 0x7f)
      }
      const end = endOf(index, at)
      if (dropped > previous.length) throw new RangeError('not an index')
      previous = Buffer.concat([
        previous.subarray(0, previous.length - dropped),
        index.subarray(at, end),
      ])
      at = end + 1
    } else {
      const end = endOf(index, at)
      previous = index.subarray(at, end)
      // Padded to a multiple of eight with one to eight zeros.
      at = start + ((end - start + 8) & ~7)
    }
    yield previous.toString('utf8')
  }
  // The names are followed by extensions and a hash of at least 20 bytes. A `link` extension means
  // that more names are stored elsewhere.
  while (at + 8 <= index.length - 20) {
    if (index.toString('latin1', at, at + 4) === 'link') throw new RangeError('a split index')
    at += 8 + index.readUInt32BE(at + 4)
  }
  // If the position is wrong, the hashes are longer (SHA-256), so all entries above were parsed
  // incorrectly.
  if (at !== index.length - 20) throw new RangeError('not an index')
}

function endOf(index: Buffer, at: number): number {
  const end = index.indexOf(0, at)
  if (end < 0) throw new RangeError('not an index')
  return end
}
