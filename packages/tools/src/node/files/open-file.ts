import { constants } from 'node:fs'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { FileFacts, OpenFile, AllowedPaths } from '../../host/files.ts'
import { isOpenAt, NO_FOLLOW } from './descriptor.ts'
import { factsOf } from './file-facts.ts'
import { errorCodeOf, swappedError } from './file-error.ts'
import { resolveAllowed } from './resolve-path.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** What a path leads to, looked at without opening it. */
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

/** A file that is replaced by a new one all the time is opened in the end; one that leads elsewhere never is. */
const TRIES = 5

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

/** Opens the real path, if it is still one. */
async function tryOpen(fs: FileSystemCalls, path: string): Promise<OpenFile | undefined> {
  const { O_RDONLY, O_NONBLOCK } = constants
  let handle
  try {
    handle = await fs.open(path, O_RDONLY | O_NONBLOCK | NO_FOLLOW)
  } catch (error) {
    // It became a link, a socket or nothing since it was looked at.
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
    // A plain file gives less than was asked for only at its end.
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

export function assertPlainFile({ kind, path }: FileFacts): void {
  if (kind === 'file') return
  throw new ToolError('invalid_input', `${path} is ${KINDS[kind]}; expected a plain file.`, {
    code: kind === 'folder' ? 'is_folder' : 'special_file',
    kind,
    path,
  })
}
