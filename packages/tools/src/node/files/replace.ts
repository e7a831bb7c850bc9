import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import {
  type FileFacts,
  isUnchanged,
  type ReplaceResult,
  type ReplaceOptions,
} from '../../host/files.ts'
import {
  NO_FOLLOW,
  enterFolder,
  type OpenFolder,
  openFolder,
  assertPlainFile,
} from './open-file.ts'
import {
  factsOf,
  changedError,
  errorCodeOf,
  swappedError,
  type FileSystemCalls,
} from './file-system-calls.ts'
import { resolveAllowed } from './resolve-path.ts'

const TEMPORARY_NAME = /^\..{0,40}\.[0-9a-f]{12}\.tmp$/su

/** In milliseconds. A younger file may still be in use. */
const MIN_AGE = 60 * 60 * 1000

/**
 * Folders that were already cleaned up. Once is enough: leftovers come from processes killed
 * earlier.
 */
const swept = new Set<string>()

const MAX_REMEMBERED = 10_000

/**
 * Writes a temporary file next to the file and renames it, so that the file is never partially
 * written.
 */
export async function replaceFile(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  path: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<ReplaceResult> {
  const { before, signal, beforeReplace } = options
  const resolved = await resolveAllowed(fs, fileSystem, path, options)
  if (resolved.exists !== (before !== undefined) || (before && before.path !== resolved.path))
    throw changedError(path)
  if (before) await assertWritable(fs, before)

  const opened = await openFolders(fs, resolved.folder, resolved.names.slice(0, -1))
  const folder = opened.at(-1)!
  const name = resolved.names.at(-1)!
  const temporary = temporaryName(name, randomBytes(6).toString('hex'))
  try {
    const folders = opened.filter(({ made }) => made).map((each) => each.path)
    const [written, prepared] = await Promise.allSettled([
      writeTemporary(fs, folder, temporary, bytes, options),
      beforeReplace?.({ path: resolved.path, folders }),
    ])
    if (written.status === 'rejected') throw written.reason
    try {
      if (prepared.status === 'rejected') throw prepared.reason
      signal?.throwIfAborted()
      if (!(await folder.isStill())) throw swappedError(folder.path)
      await assertUnchanged(fs, folder, name, before, path)
      if (before) await fs.rename(folder.at(temporary), folder.at(name))
      else await linkNew(fs, folder, temporary, name, path)
    } catch (error) {
      await discard(fs, folder.at(temporary))
      throw error
    }
    for (const each of opened) await each.handle.sync()
    await removeLeftovers(fs, folder)
    return { facts: { ...written.value, path: resolved.path }, folders }
  } catch (error) {
    await removeMade(fs, opened)
    throw error
  } finally {
    await closeAll(opened)
  }
}

/** Opens nested folders, and creates missing ones. */
async function openFolders(
  fs: FileSystemCalls,
  start: string,
  names: readonly string[],
): Promise<OpenFolder[]> {
  const opened = [await openFolder(fs, start)]
  try {
    for (const name of names) opened.push(await enterFolder(fs, opened.at(-1)!, name))
    return opened
  } catch (error) {
    await removeMade(fs, opened)
    await closeAll(opened)
    throw error
  }
}

async function writeTemporary(
  fs: FileSystemCalls,
  folder: OpenFolder,
  temporary: string,
  bytes: Uint8Array,
  { before, mode }: ReplaceOptions,
): Promise<FileFacts> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants
  const flags = O_CREAT | O_EXCL | O_WRONLY | NO_FOLLOW
  const handle = await fs.open(folder.at(temporary), flags, (before?.mode ?? mode ?? 0o666) & 0o777)
  try {
    try {
      if (!(await folder.isStill(temporary, handle))) throw swappedError(folder.path)
      await handle.writeFile(bytes)
      const facts = factsOf(await handle.stat({ bigint: true }), folder.path)
      const owner = before ? await keepOwner(handle, facts, before) : facts.owner
      const final = before?.mode ?? mode ?? facts.mode
      // The umask or the change of owner may have cleared some bits.
      if (owner !== facts.owner || facts.mode !== final) await handle.chmod(final)
      await handle.sync()
      return { ...facts, mode: final, owner }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await discard(fs, folder.at(temporary))
    throw error
  }
}

async function keepOwner(
  handle: FileHandle,
  own: FileFacts,
  before: FileFacts,
): Promise<FileFacts['owner']> {
  const { user, group } = before.owner
  if (user === own.owner.user && group === own.owner.group) return own.owner
  try {
    await handle.chown(user, group)
    return before.owner
  } catch (error) {
    if (errorCodeOf(error) !== 'EPERM') throw error
    throw new ToolError(
      'permission_denied',
      `${before.path} belongs to another user, and replacing it would change its owner.`,
      { code: 'other_owner', path: before.path },
    )
  }
}

/** Throws if the file is read-only: it must not be replaced, even if its folder is writable. */
async function assertWritable(fs: FileSystemCalls, before: FileFacts): Promise<void> {
  assertPlainFile(before)
  await fs.access(before.path, constants.W_OK)
}

async function assertUnchanged(
  fs: FileSystemCalls,
  folder: OpenFolder,
  name: string,
  before: FileFacts | undefined,
  path: string,
): Promise<void> {
  const now = await factsAt(fs, folder, name)
  if (before ? !now || !isUnchanged(before, now) : now) throw changedError(path)
}

async function factsAt(
  fs: FileSystemCalls,
  folder: OpenFolder,
  name: string,
): Promise<FileFacts | undefined> {
  try {
    return factsOf(await fs.lstat(folder.at(name), { bigint: true }), join(folder.path, name))
  } catch (error) {
    // Missing.
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Gives a new file its name, unless the name has been taken. */
async function linkNew(
  fs: FileSystemCalls,
  folder: OpenFolder,
  temporary: string,
  name: string,
  path: string,
): Promise<void> {
  try {
    await fs.link(folder.at(temporary), folder.at(name))
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw changedError(path)
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCodeOf(error) ?? ''))
      throw error
    return fs.rename(folder.at(temporary), folder.at(name))
  }
  await discard(fs, folder.at(temporary))
}

async function discard(fs: FileSystemCalls, path: string): Promise<void> {
  // The file is already gone, possibly with its folder; the original failure matters more.
  await fs.unlink(path).catch(() => {})
}

async function closeAll(opened: readonly OpenFolder[]): Promise<void> {
  await Promise.allSettled(opened.map(({ handle }) => handle.close()))
}

async function removeMade(fs: FileSystemCalls, opened: readonly OpenFolder[]): Promise<void> {
  for (let index = opened.length - 1; index > 0; index--) {
    const { made, path } = opened[index]!
    // The folder stays if another process has created a file in it.
    if (made) await fs.rmdir(opened[index - 1]!.at(basename(path))).catch(() => {})
  }
}

/** The name of a temporary file: `.NAME.0123456789ab.tmp`. */
function temporaryName(name: string, random: string): string {
  return `.${name.slice(0, 40)}.${random}.tmp`
}

/**
 * Removes the temporary files of interrupted writes from a folder: only old regular files that are
 * ours.
 */
async function removeLeftovers(fs: FileSystemCalls, folder: OpenFolder): Promise<void> {
  if (swept.has(folder.path)) return
  if (swept.size >= MAX_REMEMBERED) swept.clear()
  swept.add(folder.path)
  try {
    for (const name of await fs.readdir(folder.at('')))
      if (TEMPORARY_NAME.test(name) && (await isLeftover(fs, folder.at(name))))
        await fs.unlink(folder.at(name))
  } catch {
    // The file is unreadable, or another process has removed it. Leftovers are harmless.
  }
}

async function isLeftover(fs: FileSystemCalls, path: string): Promise<boolean> {
  const found = await fs.lstat(path)
  return (
    found.isFile() &&
    found.nlink === 1 &&
    found.uid === process.getuid?.() &&
    Date.now() - found.mtimeMs > MIN_AGE
  )
}
