import { createHash, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import type { FileVersion } from '../decide/file-system.ts'
import { readRegularFile } from './read-file.ts'

/** The system updates the time of a change only every few milliseconds. */
const TICK = 100

/**
 * The version of a file. Times can be set back, and several changes can have the same one; so it is the hash of the content. That of
 * a large file is what the system reports about it, of which nobody can set the time of the last change.
 */
export function fileVersion(path: string, most: number): FileVersion | undefined {
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
    // Another change in the same tick would look the same.
    return { version: age < TICK ? `${reported} ${randomUUID()}` : reported, bytes: 0 }
  } catch {
    // No permission, or not a valid path.
    return undefined
  }
}
