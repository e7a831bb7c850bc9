import { ToolError } from '@toolglot/agent'
import type { AllowedPaths, FileFacts, Files, OpenFile } from '../host/files.ts'

/** The maximum size of a file that is read whole, to change it or to show it as an image. */
export const MAX_WHOLE_BYTES: number = 10 * 1024 * 1024

/** The default number of lines that Read shows. */
export const DEFAULT_LINES = 2000

/** The maximum bytes of text in one Read result, regardless of the requested limit. */
export const MAX_SHOWN_BYTES: number = 50 * 1024

/** The maximum length of a line. Longer lines are truncated. */
export const MAX_LINE_CHARACTERS = 2000

/** A file and all of its bytes. */
export interface LoadedFile {
  readonly facts: FileFacts
  readonly bytes: Uint8Array
}

/** Reads a whole file; undefined if it does not exist. Throws before reading a byte if the file is too large. */
export async function loadFile(
  files: Files,
  path: string,
  reach: AllowedPaths & { readonly signal?: AbortSignal },
): Promise<LoadedFile | undefined> {
  const file = await openIfExists(files, path, reach)
  if (!file) return undefined
  try {
    const bytes = await readWhole(file, path, reach.signal)
    return { facts: file.facts, bytes }
  } finally {
    await file.close()
  }
}

async function openIfExists(
  files: Files,
  path: string,
  reach: AllowedPaths,
): Promise<OpenFile | undefined> {
  try {
    return await files.open(path, reach)
  } catch (error) {
    // Only a missing file is allowed: a dangling link, or a file in place of a folder, is an error.
    if (error instanceof ToolError && error.details?.['code'] === 'ENOENT') return undefined
    throw error
  }
}

/** Reads all bytes of an open file. Throws if it has more than `MAX_WHOLE_BYTES`. */
export async function readWhole(
  file: OpenFile,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = file.facts.size
  if (size <= MAX_WHOLE_BYTES) {
    size = 0
    for await (const piece of file.read({ end: MAX_WHOLE_BYTES + 1 })) {
      signal?.throwIfAborted()
      parts.push(Uint8Array.from(piece))
      size += piece.length
    }
  }
  if (size <= MAX_WHOLE_BYTES) return Buffer.concat(parts)
  throw new ToolError(
    'invalid_input',
    `${path} is too large: ${size} bytes, maximum ${MAX_WHOLE_BYTES}. Read parts of it with offset and limit, or use Bash.`,
    { code: 'too_large', path, size, limit: MAX_WHOLE_BYTES },
  )
}
