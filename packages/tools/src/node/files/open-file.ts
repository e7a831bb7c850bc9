import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { FileFacts, OpenFile, AllowedPaths } from '../../host/files.ts'
import { factsOf, errorCodeOf, swappedError, type FileSystemCalls } from './file-system-calls.ts'
import { resolveAllowed } from './resolve-path.ts'

/** The facts about the file that a path resolves to, without opening it. */
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

/** Enough for a file that is replaced repeatedly. A path that leads elsewhere is never opened. */
const TRIES = 5

/** Opens a regular file, and checks that it is the one to which the path resolved. */
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
    // The file was removed, or replaced by a link or a socket.
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
  throw new ToolError('invalid_input', `${path} is ${KINDS[kind]}, not a regular file.`, {
    code: kind === 'folder' ? 'is_folder' : 'special_file',
    kind,
    path,
  })
}

/** An open folder: operations apply to this very folder, even if its path later leads elsewhere. */
export interface OpenFolder {
  readonly path: string
  /** True if the folder was missing and has been created. */
  readonly made: boolean
  readonly handle: FileHandle
  /** The path of an entry. */
  at(name: string): string
  /** True if the path of the folder still leads to it; for an opened file, if the file is in it. */
  isStill(name?: string, opened?: FileHandle): Promise<boolean>
}

/** Opens an existing folder. */
export function openFolder(fs: FileSystemCalls, path: string): Promise<OpenFolder> {
  return openAt(fs, path, path, false)
}

/** Opens a subfolder, and creates it if it is missing. */
export async function enterFolder(
  fs: FileSystemCalls,
  parent: OpenFolder,
  name: string,
): Promise<OpenFolder> {
  let made = true
  try {
    await fs.mkdir(parent.at(name))
  } catch (error) {
    // Another process has created it.
    if (errorCodeOf(error) !== 'EEXIST') throw error
    made = false
  }
  return openAt(fs, parent.at(name), join(parent.path, name), made)
}

async function openAt(
  fs: FileSystemCalls,
  place: string,
  path: string,
  made: boolean,
): Promise<OpenFolder> {
  const { O_RDONLY, O_DIRECTORY } = constants
  const handle = await fs.open(place, O_RDONLY | O_DIRECTORY | NO_FOLLOW)
  try {
    const own = await descriptorPath(fs, handle)
    // A path that starts at a descriptor cannot be swapped.
    const held = own !== undefined
    if (held ? own !== path : !(await isOpenAt(fs, handle, path))) throw swappedError(path)
    const base = held ? `/proc/self/fd/${handle.fd}` : path
    return {
      path,
      made,
      handle,
      at: (name) => `${base}/${name}`,
      isStill: async (name, opened) =>
        held ||
        (name !== undefined && opened !== undefined
          ? isOpenAt(fs, opened, join(path, name))
          : isOpenAt(fs, handle, path)),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * True if an open descriptor refers to the file at a real path. It doesn't if a link was swapped in
 * during the opening and then removed.
 */
async function isOpenAt(fs: FileSystemCalls, handle: FileHandle, path: string): Promise<boolean> {
  const own = await descriptorPath(fs, handle)
  return own === undefined ? isSameFile(fs, handle, path) : own === path
}

/** The path that the system reports for a descriptor. Undefined if it reports none, as on macOS. */
async function descriptorPath(
  fs: FileSystemCalls,
  handle: FileHandle,
): Promise<string | undefined> {
  try {
    return await fs.readlink(`/proc/self/fd/${handle.fd}`)
  } catch (error) {
    // There is no /proc.
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Repeated, so that an attacker who swaps links in and out would have to hit the right moment every
 * time.
 */
const COMPARISONS = 4

async function isSameFile(fs: FileSystemCalls, handle: FileHandle, path: string): Promise<boolean> {
  const opened = await handle.stat({ bigint: true })
  try {
    for (let look = 0; look < COMPARISONS; look++) {
      if ((await fs.realpath(path)) !== path) return false
      const named = await fs.lstat(path, { bigint: true })
      if (opened.dev !== named.dev || opened.ino !== named.ino) return false
    }
    return true
  } catch (error) {
    // The file was removed in the meantime.
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return false
    throw error
  }
}

/** Open flag that refuses links: on macOS anywhere in the path (O_NOFOLLOW_ANY, which Node lacks), elsewhere only the last. */
export const NO_FOLLOW: number = process.platform === 'darwin' ? 0x20000000 : constants.O_NOFOLLOW
