// Folder: Undo: changed files, restored to an earlier state.
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { ToolError } from '@toolglot/agent'
import type { Host } from '../host/host.ts'
import { createBlobs, createChangeLog, type ChangeEntry, type Blobs, hashOf } from './store.ts'
import { loadFile } from '../file/load.ts'
import type { Files } from '../host/files.ts'

/** A planned change to a file. */
interface Change {
  /** The real path. */
  readonly path: string
  /** Undefined if the file does not exist yet. */
  readonly before: { readonly bytes: Uint8Array; readonly hash: string } | undefined
  /** Hash of the new content. */
  readonly after: string
  /** The folders to create for it, outermost first. */
  readonly folders?: readonly string[]
  /** The id of the call that makes it. */
  readonly call: string
}

/** Selects the changes of a run to undo. */
interface UndoOptions {
  /** Undo only the changes of calls with these ids. Default: all. */
  readonly calls?: ReadonlySet<string>
}

/** The result of undoing a run's changes, for each file. */
interface UndoReport {
  readonly files: readonly UndoneFile[]
}

/** The content of files before a run changed them, and the means to restore it. */
export interface Checkpoints {
  /** Stores a file's content before it changes. Once this resolves, the change can be undone. */
  keep(run: string, change: Change): Promise<void>
  /** The changes of a run that can be undone, oldest first, each with the call that made it. */
  changes(run: string): Promise<readonly ChangeEntry[]>
  /**
   * Undoes a run's changes, latest first. Skips files that have been changed since by other
   * programs or by a later call that is not selected.
   */
  undo(run: string, options?: UndoOptions): Promise<UndoReport>
}

/** Stores checkpoints in the host's storage, where Write and Edit record every change of a run. */
export function createCheckpoints(host: Pick<Host, 'files' | 'storage'>): Checkpoints {
  const folder = join(host.storage.folder, 'checkpoints')
  const blobs = createBlobs(join(folder, 'blobs'))
  const log = createChangeLog(join(folder, 'runs'))
  let isReady = false

  function prepare(): void {
    if (!isReady) for (const name of ['blobs', 'runs']) makeFolder(join(folder, name))
    isReady = true
  }

  return {
    async keep(run, { path, before, after, folders, call }) {
      prepare()
      await Promise.all([
        before && blobs.put(before.hash, before.bytes),
        log.append(run, {
          path,
          before: before?.hash ?? null,
          after,
          folders: folders && folders.length > 0 ? folders : undefined,
          time: new Date().toISOString(),
          call,
        }),
      ])
    },

    changes: (run) => log.read(run),

    async undo(run, { calls } = {}) {
      const entries = await log.read(run)
      const files = new Map<string, UndoneFile>()
      const remaining: ChangeEntry[] = []
      const covered = new Set<string>()
      for (const entry of [...entries].reverse()) {
        const { path } = entry
        const selected = !calls || calls.has(entry.call)
        if (!selected) covered.add(path)
        // If a change cannot be undone, neither can earlier changes to the same file.
        else if (files.get(path)?.status !== 'refused')
          files.set(
            path,
            covered.has(path) ? coveredFile(path) : await undoEntry(host.files, blobs, entry),
          )
        if (!selected || files.get(path)!.status === 'refused') remaining.unshift(entry)
      }
      // Keeps changes made in the meantime.
      const later = (await log.read(run)).slice(entries.length)
      await log.replace(run, [...remaining, ...later])
      return { files: [...files.values()] }
    },
  }
}

function coveredFile(path: string): UndoneFile {
  return { path, status: 'refused', why: 'a later call, which is not undone, changed it as well' }
}

/** The result of undoing the changes to one file. */
export interface UndoneFile {
  readonly path: string
  /** `unchanged`: the file already has its former content. */
  readonly status: 'restored' | 'removed' | 'unchanged' | 'refused'
  /** The reason for refusing it. */
  readonly why?: string
}

/** Undoes one change if the file is still as the change left it. Follows no link on its path. */
async function undoEntry(files: Files, blobs: Blobs, entry: ChangeEntry): Promise<UndoneFile> {
  const { path } = entry
  try {
    const release = await files.lock(path, { paths: [path] })
    try {
      return { path, ...(await restore(files, blobs, entry)) }
    } finally {
      release()
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { path, status: 'refused', why: error.message }
  }
}

async function restore(
  files: Files,
  blobs: Blobs,
  { path, before, after, folders = [] }: ChangeEntry,
): Promise<Omit<UndoneFile, 'path'>> {
  const reach = { paths: [path] }
  const now = await loadFile(files, path, reach)
  const hash = now ? hashOf(now.bytes) : null
  if (hash === before) return { status: 'unchanged' }
  if (!now) return refused('the file no longer exists')
  if (hash !== after) return refused('the file has been changed since')
  if (before === null) {
    await files.remove(path, { ...reach, before: now.facts, folders: [...folders].reverse() })
    return { status: 'removed' }
  }
  const bytes = await blobs.get(before)
  if (!bytes) return refused('its former content is no longer stored')
  await files.replace(path, bytes, { ...reach, before: now.facts })
  return { status: 'restored' }
}

function refused(why: string): Omit<UndoneFile, 'path'> {
  return { status: 'refused', why }
}
