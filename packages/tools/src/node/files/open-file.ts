import { constants } from 'node:fs'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { FileFacts, OpenFile, AllowedPaths } from '../../host/files.ts'
import { isOpenAt, NO_FOLLOW } from './descriptor.ts'
import { factsOf } from './file-facts.ts'
import { errorCodeOf, swappedError } from './file-error.ts'
import { resolveAllowed } from './resolve-path.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** What a path resolves to, without opening it. */
export async function statPath(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  path: string,
  allowed?: AllowedPaths,
): Promise<FileFacts | undefined> {
  const resolved = await resolveAllowed(fs, fileSystem, path, allowed)
  if (!resolved.exists) return undefined
  return factsOf(await fs.lstat(resolved.path, { bigint: true }), resolved.path)
}

/** Enough to open a file that keeps being replaced. One that leads elsewhere is never opened. */
const TRIES = 5

/** Opens a regular file, and checks that it is the one the path resolved to. */
export async function openFile(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  path: string,
  allowed?: AllowedPaths,
): Promise<OpenFile> {
  for (let tries = 1; ; tries++) {
    const facts = await statPath(fs, fileSystem, path, allowed)
    if (!facts) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' })
    assertPlainFile(facts)
    const opened = await tryOpen(fs, facts.path)
    if (opened) return opened
    if (tries === TRIES) throw swappedError(path)
  }
}

/** Opens a real path; undefined if it no longer is one. */
async function tryOpen(fs: FileSystemCalls, path: string): Promise<OpenFile | undefined> {
  const { O_RDONLY, O_NONBLOCK } = constants
  let handle
  try {
    handle = await fs.open(path, O_RDONLY | O_NONBLOCK | NO_FOLLOW)
  } catch (error) {
    // It has become a link or a socket, or was removed.
    if (['ELOOP', 'EMLINK', 'ENXIO', 'ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? ''))
      return undefined
    throw error
  }
  try {
    if (await isOpenAt(fs, handle, path)) {
      const facts = factsOf(await handle.stat({ bigint: true }), path)
      assertPlainFile(facts)
      const file = handle
      return { facts, read: (range) => readPieces(file, range), close: () => file.close() }
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}

const PIECE = 256 * 1024

async function* readPieces(
  handle: Awaited<ReturnType<FileSystemCalls['open']>>,
  { start = 0, end = Infinity }: { readonly start?: number; readonly end?: number } = {},
): AsyncIterable<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE)
  for (let position = start; position < end;) {
    const length = Math.min(PIECE, end - position)
    const { bytesRead } = await handle.read(buffer, 0, length, position)
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
    // A regular file returns fewer bytes only at its end.
    if (bytesRead < length) return
    position += bytesRead
  }
}

const KINDS = {
  file: 'a file',
  folder: 'a folder',
  pipe: 'a named pipe',
  socket: 'a socket',
  device: 'a device',
}

/** Throws unless it is a regular file. */
export function assertPlainFile({ kind, path }: FileFacts): void {
  if (kind === 'file') return
  throw new ToolError('invalid_input', `${path} is ${KINDS[kind]}; expected a regular file.`, {
    code: kind === 'folder' ? 'is_folder' : 'special_file',
    kind,
    path,
  })
}
