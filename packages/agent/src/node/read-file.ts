import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'

/** What a file holds; or why it cannot be read: `missing` where there is none. */
export type FileContent =
  | { readonly bytes: Uint8Array; readonly status: Stats }
  | { readonly missing: true }
  | { readonly reason: string }

/** Reads a regular file of at most so many bytes. A pipe or a device in its place is neither waited for nor read. */
export function readRegularFile(path: string, most: number): FileContent {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const status = fstatSync(file)
    if (!status.isFile()) return { reason: 'it is not a regular file' }
    if (status.size > most) return { reason: `it is larger than ${most} bytes` }
    // One byte more than there are tells whether it grew.
    const buffer = Buffer.alloc(status.size + 1)
    let length = 0
    for (let read = -1; read !== 0 && length <= status.size; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null)
    }
    if (length > status.size) return { reason: 'it grew while it was read' }
    return { bytes: buffer.subarray(0, length), status }
  } catch (error) {
    // No such file, no permission, a loop of links.
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { missing: true }
    return { reason: `it cannot be read (${code ?? message})` }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The text of bytes; undefined where they are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8.
    return undefined
  }
}
