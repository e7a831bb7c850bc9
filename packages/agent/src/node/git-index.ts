import { statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { readRegularFile, decodeUtf8 } from './read-file.ts'

/**
 * Whether git has a file under version control, so that it came with the repository, or may have. It is read from the
 * index itself: git is not run, because a repository can tell git what to run. What cannot be told counts as yes.
 */
export function isTracked(file: string, repository: string): boolean {
  const wanted = fold(relative(repository, file).split(sep).join('/'))
  try {
    const index = indexOf(repository)
    if (index === 'none') return false
    if (!index) return true
    for (const name of namesIn(index)) {
      const held = fold(name)
      // A link, a submodule or a folder left out on purpose may stand for all that is in it.
      if (wanted === held || wanted.startsWith(held.endsWith('/') ? held : `${held}/`)) return true
    }
    return false
  } catch {
    // Not an index as it is known here, or no longer there.
    return true
  }
}

/** The bytes of a repository's index; `none` where nothing was ever added; undefined where it cannot be read. */
function indexOf(repository: string): Buffer | 'none' | undefined {
  const git = join(repository, '.git')
  if (!statSync(git).isDirectory()) {
    const pointer = readRegularFile(git, 4096)
    const text = 'bytes' in pointer ? decodeUtf8(pointer.bytes) : undefined
    const folder = text?.startsWith('gitdir: ') ? text.slice(8).trim() : undefined
    const index = folder && readRegularFile(join(resolve(repository, folder), 'index'), LARGEST)
    return index && 'bytes' in index ? Buffer.from(index.bytes) : undefined
  }
  const index = readRegularFile(join(git, 'index'), LARGEST)
  if ('missing' in index) return 'none'
  return 'bytes' in index ? Buffer.from(index.bytes) : undefined
}

const LARGEST = 64 << 20

/** A file system may not tell these apart. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** The names in an index, as gitformat-index(5) has them. Throws where it is something else. */
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
      // One to eight zeros, so that each entry is a multiple of eight long.
      at = start + ((end - start + 8) & ~7)
    }
    yield previous.toString('utf8')
  }
  // Behind the names come extensions, and a hash of at least 20 bytes. One says that more names are in another file.
  while (at + 8 <= index.length - 20) {
    if (index.toString('latin1', at, at + 4) === 'link') throw new RangeError('a split index')
    at += 8 + index.readUInt32BE(at + 4)
  }
  // With longer hashes, of another kind of repository, everything above was misread.
  if (at !== index.length - 20) throw new RangeError('not an index')
}

function endOf(index: Buffer, at: number): number {
  const end = index.indexOf(0, at)
  if (end < 0) throw new RangeError('not an index')
  return end
}
