import { readRegularFile } from './read-file.ts'

const MAX_SIZE = 100_000

/** The text of a small file, or undefined if there is none. Throws if it is too long, or not a regular file. */
export function readSmallFile(file: string, maxSize: number = MAX_SIZE): string | undefined {
  return readBytes(file, maxSize)?.toString('utf8')
}

/** The content of a file, or undefined if there is none. Throws if it is too long, or not a regular file. */
export function readBytes(file: string, maxSize: number): Buffer | undefined {
  const content = readRegularFile(file, maxSize)
  if ('missing' in content) return undefined
  if ('reason' in content) throw new Error(`Cannot read ${file}: ${content.reason}.`)
  return Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength)
}
