import { ToolError } from '@toolglot/agent'
import { loadFile } from '../file/load.ts'
import type { Files } from '../host/files.ts'
import { type Blobs, hashOf } from './blobs.ts'
import type { ChangeEntry } from './log.ts'

/** The result of undoing the changes to one file. */
export interface UndoneFile {
  readonly path: string
  /** `unchanged`: the file already has its former content. */
  readonly status: 'restored' | 'removed' | 'unchanged' | 'refused'
  /** Why it was refused. */
  readonly why?: string
}

/** Undoes one change if the file is still as the change left it. Follows no link on its path. */
export async function undoEntry(
  files: Files,
  blobs: Blobs,
  entry: ChangeEntry,
): Promise<UndoneFile> {
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
