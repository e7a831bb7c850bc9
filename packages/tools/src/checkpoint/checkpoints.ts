import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/internal'
import type { Host } from '../host/host.ts'
import { createBlobs } from './blobs.ts'
import { createChangeLog, type ChangeEntry } from './log.ts'
import { undoEntry, type UndoneFile } from './undo.ts'

/** A change to a file that is about to be made. */
export interface Change {
  /** The real path. */
  readonly path: string
  /** Undefined if the file does not exist yet. */
  readonly before: { readonly bytes: Uint8Array; readonly hash: string } | undefined
  /** Hash of the new content. */
  readonly after: string
  /** The folders that are created for it, outermost first. */
  readonly folders?: readonly string[]
}

/** The result of undoing a run's changes, for each file. */
export interface UndoReport {
  readonly files: readonly UndoneFile[]
}

/** The content of files before a run changed them, and the means to restore it. */
export interface Checkpoints {
  /** Stores a file's content before it changes. Once this resolves, the change can be undone. */
  keep(run: string, change: Change): Promise<void>
  /** The changes of a run, oldest first. */
  changes(run: string): Promise<readonly ChangeEntry[]>
  /** Undoes a run's changes, latest first. Files that someone else has changed since are left alone. */
  undo(run: string): Promise<UndoReport>
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
    async keep(run, { path, before, after, folders }) {
      prepare()
      await Promise.all([
        before && blobs.put(before.hash, before.bytes),
        log.append(run, {
          path,
          before: before?.hash ?? null,
          after,
          ...(folders && folders.length > 0 && { folders }),
          time: new Date().toISOString(),
        }),
      ])
    },

    changes: (run) => log.read(run),

    async undo(run) {
      const entries = await log.read(run)
      const files = new Map<string, UndoneFile>()
      const remaining: ChangeEntry[] = []
      for (const entry of [...entries].reverse()) {
        // If a change cannot be undone, neither can earlier changes of the same file.
        const blocked = files.get(entry.path)?.status === 'refused'
        if (!blocked) files.set(entry.path, await undoEntry(host.files, blobs, entry))
        if (files.get(entry.path)!.status === 'refused') remaining.unshift(entry)
      }
      await log.replace(run, remaining)
      return { files: [...files.values()] }
    },
  }
}
