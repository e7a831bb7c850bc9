import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  realpathSync,
} from 'node:fs'

/**
 * The reason why a file cannot be read: it does not exist, or a phrase that completes "the file
 * cannot be read:".
 */
type FileProblem = { readonly missing: true } | { readonly reason: string }

/** The content of a file, or the reason why it cannot be read. */
type FileContent = { readonly bytes: Buffer; readonly status: Stats } | FileProblem

/** The text of a file, including its byte order mark, or the reason why it cannot be read. */
type FileText = { readonly text: string; readonly status: Stats } | FileProblem

/** Options for opening a file. */
interface OpenOptions {
  /** Set to false to refuse a symbolic link in place of the file. Default: true. */
  readonly followLinks?: boolean
}

/**
 * Opens a regular file for reading. Pipes, devices, sockets and folders are refused without
 * blocking. The caller closes the descriptor.
 */
export function openRegularFile(
  path: string,
  { followLinks = true }: OpenOptions = {},
): { readonly descriptor: number; readonly status: Stats } | FileProblem {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW))
    const status = fstatSync(descriptor)
    if (status.isFile()) return { descriptor, status }
    closeSync(descriptor)
    return { reason: 'it is not a regular file' }
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor)
    return problemOf(error, followLinks)
  }
}

/**
 * Reads a regular file up to a maximum size. The size reported by the system may be wrong or
 * outdated.
 */
export function readRegularFile(
  path: string,
  maxBytes: number,
  options: OpenOptions = {},
): FileContent {
  const opened = openRegularFile(path, options)
  if (!('descriptor' in opened)) return opened
  const { descriptor, status } = opened
  const tooLarge = { reason: `it is larger than ${maxBytes} bytes` }
  try {
    if (status.size > maxBytes) return tooLarge
    const pieces: Buffer[] = []
    let length = 0
    for (let size = Math.max(status.size, PIECE); ; size = PIECE) {
      // One extra byte shows whether the file exceeds the limit.
      const piece = Buffer.alloc(Math.min(size, maxBytes - length) + 1)
      const read = readSync(descriptor, piece, 0, piece.length, null)
      if (read === 0) return { bytes: joined(pieces), status }
      length += read
      if (length > maxBytes) return tooLarge
      pieces.push(piece.subarray(0, read))
    }
  } catch (error) {
    return problemOf(error)
  } finally {
    closeSync(descriptor)
  }
}

const PIECE = 1 << 12

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/** Reads a regular file in UTF-8, up to a maximum size in bytes. */
export function readTextFile(path: string, maxBytes: number, options: OpenOptions = {}): FileText {
  const content = readRegularFile(path, maxBytes, options)
  if (!('bytes' in content)) return content
  const { bytes, status } = content
  const text = decodeUtf8(bytes)
  return text === undefined ? { reason: 'it is not UTF-8' } : { text, status }
}

/**
 * The bytes of a file, or undefined if it does not exist. If it cannot be read, throws an error
 * with its path.
 */
export function readBytes(file: string, maxBytes: number): Buffer | undefined {
  const content = readRegularFile(file, maxBytes)
  if ('missing' in content) return undefined
  if ('reason' in content) throw new Error(`Cannot read ${file}: ${content.reason}.`)
  return content.bytes
}

/**
 * The text of a file, or undefined if it does not exist. If it cannot be read, throws an error with
 * its path.
 */
export function readSmallFile(file: string, maxBytes: number = SMALL): string | undefined {
  return readBytes(file, maxBytes)?.toString('utf8')
}

const SMALL = 100_000

function problemOf(error: unknown, followLinks = true): FileProblem {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return { missing: true }
  if (code === 'ENXIO') return { reason: 'it is not a regular file' }
  if (code === 'EACCES' || code === 'EPERM') return { reason: `permission denied (${code})` }
  if (code === 'ELOOP')
    return { reason: followLinks ? 'its links form a loop (ELOOP)' : 'it is a symbolic link' }
  return { reason: `it cannot be read (${code ?? message})` }
}

/** Decodes UTF-8, keeping a byte order mark. Undefined if the bytes are not valid UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The file is not UTF-8.
    return undefined
  }
}

/** The real path, or the path itself if it doesn't exist. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
