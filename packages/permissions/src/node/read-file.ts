import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'

/** The content of a file, or why it cannot be read: `missing` if it does not exist. */
export type FileContent =
  | { readonly bytes: Uint8Array; readonly status: Stats }
  | { readonly missing: true }
  | { readonly reason: string }

/** Reads a regular file, up to a maximum size. Pipes and devices are rejected without blocking. */
export function readRegularFile(path: string, maxBytes: number): FileContent {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const status = fstatSync(file)
    if (!status.isFile()) return { reason: 'it is not a regular file' }
    if (status.size > maxBytes) return { reason: `it is larger than ${maxBytes} bytes` }
    // One extra byte shows whether the file grew.
    const buffer = Buffer.alloc(status.size + 1)
    let length = 0
    for (let read = -1; read !== 0 && length <= status.size; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null)
    }
    if (length > status.size) return { reason: 'it grew while it was being read' }
    return { bytes: buffer.subarray(0, length), status }
  } catch (error) {
    // Missing, no permission, a cycle of links.
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { missing: true }
    return { reason: `it cannot be read (${code ?? message})` }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Decodes UTF-8, keeping a byte order mark; undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8.
    return undefined
  }
}
