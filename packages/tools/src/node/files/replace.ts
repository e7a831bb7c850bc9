import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import { type FileFacts, isSame, type Replaced, type ReplaceOptions } from '../../host/files.ts'
import { NO_FOLLOW } from './descriptor.ts'
import { factsOf } from './file-facts.ts'
import { changed, codeOf, swapped } from './file-error.ts'
import { enterFolder, type Folder, openFolder } from './open-folder.ts'
import { mustBeFile } from './open-file.ts'
import { placeOf } from './resolve-path.ts'
import { spareName, sweep } from './sweep.ts'
import type { System } from './file-system-calls.ts'

/** Writes beside the file, and lets the new one take the old one's name: there is no moment with half a file. */
export async function replaceFile(
  system: System,
  fileSystem: FileSystemView,
  path: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<Replaced> {
  const { before, signal, ready } = options
  const place = await placeOf(system, fileSystem, path, options)
  if (place.exists !== (before !== undefined) || (before && before.path !== place.path))
    throw changed(path)
  if (before) await mustBeWritable(system, before)

  const opened = await enter(system, place.folder, place.names.slice(0, -1))
  const folder = opened.at(-1)!
  const name = place.names.at(-1)!
  const spare = spareName(name, randomBytes(6).toString('hex'))
  try {
    const folders = opened.filter(({ made }) => made).map((each) => each.path)
    const [written, prepared] = await Promise.allSettled([
      writeSpare(system, folder, spare, bytes, options),
      ready?.({ path: place.path, folders }),
    ])
    if (written.status === 'rejected') throw written.reason
    try {
      if (prepared.status === 'rejected') throw prepared.reason
      signal?.throwIfAborted()
      if (!(await folder.isStill())) throw swapped(folder.path)
      await mustBeUnchanged(system, folder, name, before, path)
      if (before) await system.rename(folder.at(spare), folder.at(name))
      else await putNew(system, folder, spare, name, path)
    } catch (error) {
      await discard(system, folder.at(spare))
      throw error
    }
    for (const each of opened) await each.handle.sync()
    await sweep(system, folder)
    return { facts: { ...written.value, path: place.path }, folders }
  } catch (error) {
    await removeMade(system, opened)
    throw error
  } finally {
    await closeAll(opened)
  }
}

/** The folders on the way to the last of some names, all held; those that are missing are made. */
async function enter(system: System, start: string, names: readonly string[]): Promise<Folder[]> {
  const opened = [await openFolder(system, start)]
  try {
    for (const name of names) opened.push(await enterFolder(system, opened.at(-1)!, name))
    return opened
  } catch (error) {
    await removeMade(system, opened)
    await closeAll(opened)
    throw error
  }
}

async function writeSpare(
  system: System,
  folder: Folder,
  spare: string,
  bytes: Uint8Array,
  { before, mode }: ReplaceOptions,
): Promise<FileFacts> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants
  const flags = O_CREAT | O_EXCL | O_WRONLY | NO_FOLLOW
  const handle = await system.open(folder.at(spare), flags, (before?.mode ?? mode ?? 0o666) & 0o777)
  try {
    try {
      if (!(await folder.isStill(spare, handle))) throw swapped(folder.path)
      await handle.writeFile(bytes)
      const facts = factsOf(await handle.stat({ bigint: true }), folder.path)
      const owner = before ? await keepOwner(handle, facts, before) : facts.owner
      const final = before?.mode ?? mode ?? facts.mode
      // The umask, or a change of owner, may have taken some of it.
      if (owner !== facts.owner || facts.mode !== final) await handle.chmod(final)
      await handle.sync()
      return { ...facts, mode: final, owner }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await discard(system, folder.at(spare))
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
    if (codeOf(error) !== 'EPERM') throw error
    throw new ToolError(
      'permission_denied',
      `${before.path} belongs to another user, who would lose it if it were replaced.`,
      { code: 'other_owner', path: before.path },
    )
  }
}

/** A file that its owner closed to writing stays so, though its folder would let it be replaced. */
async function mustBeWritable(system: System, before: FileFacts): Promise<void> {
  mustBeFile(before)
  await system.access(before.path, constants.W_OK)
}

async function mustBeUnchanged(
  system: System,
  folder: Folder,
  name: string,
  before: FileFacts | undefined,
  path: string,
): Promise<void> {
  const now = await factsAt(system, folder, name)
  if (before ? !now || !isSame(before, now) : now) throw changed(path)
}

async function factsAt(
  system: System,
  folder: Folder,
  name: string,
): Promise<FileFacts | undefined> {
  try {
    return factsOf(await system.lstat(folder.at(name), { bigint: true }), join(folder.path, name))
  } catch (error) {
    // Nothing is there.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A new file takes its name only if nobody else took it first. */
async function putNew(
  system: System,
  folder: Folder,
  spare: string,
  name: string,
  path: string,
): Promise<void> {
  try {
    await system.link(folder.at(spare), folder.at(name))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changed(path)
    // Some file systems have no second names.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error
    return system.rename(folder.at(spare), folder.at(name))
  }
  await discard(system, folder.at(spare))
}

async function discard(system: System, path: string): Promise<void> {
  // It is gone already, or the folder is: what went wrong before matters more.
  await system.unlink(path).catch(() => {})
}

async function closeAll(opened: readonly Folder[]): Promise<void> {
  await Promise.allSettled(opened.map(({ handle }) => handle.close()))
}

async function removeMade(system: System, opened: readonly Folder[]): Promise<void> {
  for (let index = opened.length - 1; index > 0; index--) {
    const { made, path } = opened[index]!
    // Someone put a file in it in the meantime: then it stays.
    if (made) await system.rmdir(opened[index - 1]!.at(basename(path))).catch(() => {})
  }
}
