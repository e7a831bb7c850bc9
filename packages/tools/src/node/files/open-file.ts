import { constants } from 'node:fs'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { FileFacts, OpenFile, Reach } from '../../host/files.ts'
import { isAt, NO_FOLLOW } from './descriptor.ts'
import { factsOf } from './file-facts.ts'
import { codeOf, swapped } from './file-error.ts'
import { placeOf } from './resolve-path.ts'
import type { System } from './file-system-calls.ts'

/** What a path leads to, looked at without opening it. */
export async function look(
  system: System,
  fileSystem: FileSystemView,
  path: string,
  reach?: Reach,
): Promise<FileFacts | undefined> {
  const place = await placeOf(system, fileSystem, path, reach)
  if (!place.exists) return undefined
  return factsOf(await system.lstat(place.path, { bigint: true }), place.path)
}

/** A file that is replaced by a new one all the time is opened in the end; one that leads elsewhere never is. */
const TRIES = 5

export async function openFile(
  system: System,
  fileSystem: FileSystemView,
  path: string,
  reach?: Reach,
): Promise<OpenFile> {
  for (let tries = 1; ; tries++) {
    const facts = await look(system, fileSystem, path, reach)
    if (!facts) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' })
    mustBeFile(facts)
    const opened = await tryOpen(system, facts.path)
    if (opened) return opened
    if (tries === TRIES) throw swapped(path)
  }
}

/** Opens the real path, if it is still one. */
async function tryOpen(system: System, path: string): Promise<OpenFile | undefined> {
  const { O_RDONLY, O_NONBLOCK } = constants
  let handle
  try {
    handle = await system.open(path, O_RDONLY | O_NONBLOCK | NO_FOLLOW)
  } catch (error) {
    // It became a link, a socket or nothing since it was looked at.
    if (['ELOOP', 'EMLINK', 'ENXIO', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? ''))
      return undefined
    throw error
  }
  try {
    if (await isAt(system, handle, path)) {
      const facts = factsOf(await handle.stat({ bigint: true }), path)
      mustBeFile(facts)
      const file = handle
      return { facts, read: (range) => pieces(file, range), close: () => file.close() }
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}

const PIECE = 256 * 1024

async function* pieces(
  handle: Awaited<ReturnType<System['open']>>,
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

export function mustBeFile({ kind, path }: FileFacts): void {
  if (kind === 'file') return
  throw new ToolError('invalid_input', `${path} is ${KINDS[kind]}; expected a plain file.`, {
    code: kind === 'folder' ? 'is_folder' : 'special_file',
    kind,
    path,
  })
}
