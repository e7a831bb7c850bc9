import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/internal'
import type { Host } from '../host/host.ts'
import { createBlobs } from './blobs.ts'
import { createLog, type Entry } from './log.ts'
import { undoEntry, type Undone } from './undo.ts'

/** A change that is about to be made. */
export interface Change {
  /** The real path. */
  readonly path: string
  /** Undefined: there is no file yet. */
  readonly before: { readonly bytes: Uint8Array; readonly hash: string } | undefined
  /** The hash of the bytes that it will have. */
  readonly after: string
  /** The folders that are made for it, outermost first. */
  readonly folders?: readonly string[]
}

/** What became of the files of a run that was taken back. */
export interface UndoReport {
  readonly files: readonly Undone[]
}

export interface Checkpoints {
  /** Keeps how a file is before it is changed. When this is done, the change can be taken back. */
  keep(run: string, change: Change): Promise<void>
  /** The changes of a run, the first one first. */
  changes(run: string): Promise<readonly Entry[]>
  /** Takes back what a run changed, the last change first. What others changed since is left alone. */
  undo(run: string): Promise<UndoReport>
}

/** Former states of files, kept in the host's storage. */
export function createCheckpoints(host: Pick<Host, 'files' | 'storage'>): Checkpoints {
  const folder = join(host.storage.folder, 'checkpoints')
  const blobs = createBlobs(join(folder, 'blobs'))
  const log = createLog(join(folder, 'runs'))
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
      const files = new Map<string, Undone>()
      const left: Entry[] = []
      for (const entry of [...entries].reverse()) {
        // Once a change of a file cannot be taken back, neither can those before it.
        const blocked = files.get(entry.path)?.status === 'refused'
        if (!blocked) files.set(entry.path, await undoEntry(host.files, blobs, entry))
        if (files.get(entry.path)!.status === 'refused') left.unshift(entry)
      }
      await log.replace(run, left)
      return { files: [...files.values()] }
    },
  }
}
