import { basename, dirname } from 'node:path'
import { unlessAborted } from '@toolglot/agent/internal'
import type { FileSystemView } from '@toolglot/permissions'
import {
  type FolderEntry,
  type Files,
  type AllowedPaths,
  isUnchanged,
  type RemoveOptions,
} from '../../host/files.ts'
import {
  fileError,
  swappedError,
  changedError,
  nodeFileSystemCalls,
  type FileSystemCalls,
  factsOf,
} from './file-system-calls.ts'
import { openFolder, statPath, openFile, assertPlainFile } from './open-file.ts'
import { resolveAllowed } from './resolve-path.ts'
import { replaceFile } from './replace.ts'

/**
 * The files of this machine. A path is resolved once. The result is opened without following links, and its descriptor
 * is checked against the result before any byte is used.
 */
export function nodeFiles(
  fileSystem: FileSystemView,
  fs: FileSystemCalls = nodeFileSystemCalls,
): Files {
  const locked = createLocks()
  return {
    stat: (path, allowed) => explainFailures(path, () => statPath(fs, fileSystem, path, allowed)),
    open: (path, allowed) => explainFailures(path, () => openFile(fs, fileSystem, path, allowed)),
    list: (path, allowed) => explainFailures(path, () => list(path, allowed)),
    replace: (path, bytes, options) =>
      explainFailures(path, () => replaceFile(fs, fileSystem, path, bytes, options)),
    remove: (path, options) =>
      explainFailures(path, () => removeFile(fs, fileSystem, path, options)),
    lock: (path, options) =>
      explainFailures(path, async () => {
        const resolved = await resolveAllowed(fs, fileSystem, path, options)
        return locked(resolved.path, options?.signal)
      }),
  }

  async function list(path: string, allowed?: AllowedPaths): Promise<FolderEntry[]> {
    const resolved = await resolveAllowed(fs, fileSystem, path, allowed)
    const folder = await openFolder(fs, resolved.path)
    try {
      const entries: FolderEntry[] = []
      for (const entry of await fs.readdir(folder.at('.'), { withFileTypes: true })) {
        const isFolder = entry.isSymbolicLink()
          ? await leadsToFolder(folder.at(entry.name))
          : entry.isDirectory()
        entries.push({ name: entry.name, isFolder: isFolder })
      }
      if (!(await folder.isStill())) throw swappedError(path)
      return entries
    } finally {
      await folder.handle.close()
    }
  }

  async function leadsToFolder(path: string): Promise<boolean> {
    try {
      return (await fs.stat(path)).isDirectory()
    } catch {
      // A dangling or unreadable link is listed like a file.
      return false
    }
  }
}

async function explainFailures<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(error, path)
  }
}

/** Creates a lock per name: one holder at a time, in order of arrival. */
export function createLocks(): (name: string, signal?: AbortSignal) => Promise<() => void> {
  const last = new Map<string, Promise<void>>()

  return async (name, signal) => {
    const before = last.get(name)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const turn = Promise.all([before, held]).then(() => {
      if (last.get(name) === turn) last.delete(name)
    })
    last.set(name, turn)
    try {
      signal?.throwIfAborted()
      await (signal && before ? unlessAborted(signal, before) : before)
    } catch (error) {
      release()
      throw error
    }
    return release
  }
}

/** Removes a file that has not changed, through its open folder. */
async function removeFile(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  path: string,
  options: RemoveOptions,
): Promise<void> {
  const resolved = await resolveAllowed(fs, fileSystem, path, options)
  const folder = await openFolder(fs, resolved.folder)
  try {
    const name = basename(resolved.path)
    const now = factsOf(await fs.lstat(folder.at(name), { bigint: true }), resolved.path)
    assertPlainFile(now)
    if (!isUnchanged(options.before, now)) throw changedError(path)
    await fs.unlink(folder.at(name))
    await folder.handle.sync()
  } finally {
    await folder.handle.close()
  }
  for (const each of options.folders ?? []) if (!(await removeIfEmpty(fs, each))) return
}

async function removeIfEmpty(fs: FileSystemCalls, path: string): Promise<boolean> {
  try {
    const parent = await openFolder(fs, dirname(path))
    try {
      await fs.rmdir(parent.at(basename(path)))
      return true
    } finally {
      await parent.handle.close()
    }
  } catch {
    // The folder is not empty or not a folder, so it is kept, with its parents.
    return false
  }
}
