import { ToolError } from '@toolglot/agent'
import type { FileFacts, Files, OpenFile, AllowedPaths } from '../host/files.ts'
import { MAX_BYTES } from './limits.ts'

/** A file with all its bytes. */
export interface Loaded {
  readonly facts: FileFacts
  readonly bytes: Uint8Array
}

/** Reads a whole file; undefined if there is none. One that is too large is refused before a byte is read. */
export async function loadFile(
  files: Files,
  path: string,
  reach: AllowedPaths & { readonly signal?: AbortSignal },
): Promise<Loaded | undefined> {
  const file = await openIfThere(files, path, reach)
  if (!file) return undefined
  try {
    const bytes = await wholeOf(file, path, reach.signal)
    return { facts: file.facts, bytes }
  } finally {
    await file.close()
  }
}

async function openIfThere(
  files: Files,
  path: string,
  reach: AllowedPaths,
): Promise<OpenFile | undefined> {
  try {
    return await files.open(path, reach)
  } catch (error) {
    // Nothing is there; a link that leads nowhere, or a file on the way, is another matter.
    if (error instanceof ToolError && error.details?.['code'] === 'ENOENT') return undefined
    throw error
  }
}

export async function wholeOf(
  file: OpenFile,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = file.facts.size
  if (size <= MAX_BYTES) {
    size = 0
    for await (const piece of file.read({ end: MAX_BYTES + 1 })) {
      signal?.throwIfAborted()
      parts.push(Uint8Array.from(piece))
      size += piece.length
    }
  }
  if (size <= MAX_BYTES) return Buffer.concat(parts)
  throw new ToolError(
    'invalid_input',
    `${path} has ${size} bytes; a file is taken whole up to ${MAX_BYTES}. Read it by offset and limit, or work on it with Bash.`,
    { code: 'too_large', path, size, limit: MAX_BYTES },
  )
}
