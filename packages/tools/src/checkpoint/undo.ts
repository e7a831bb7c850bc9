import { ToolError } from '@toolglot/agent'
import { hashOf } from '../file/hash.ts'
import { loadFile } from '../file/load.ts'
import type { Files } from '../host/files.ts'
import type { Blobs } from './blobs.ts'
import type { Entry } from './log.ts'

/** What became of one file. */
export interface Undone {
  readonly path: string
  /** `unchanged`: it is as it was before, so there was nothing to do. */
  readonly status: 'restored' | 'removed' | 'unchanged' | 'refused'
  /** Why it was refused. */
  readonly why?: string
}

/** Takes one change back, if the file is as the change left it, at the very path: through no link. */
export async function undoEntry(files: Files, blobs: Blobs, entry: Entry): Promise<Undone> {
  const { path } = entry
  try {
    const release = await files.lock(path, { paths: [path] })
    try {
      return { path, ...(await takeBack(files, blobs, entry)) }
    } finally {
      release()
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { path, status: 'refused', why: error.message }
  }
}

async function takeBack(
  files: Files,
  blobs: Blobs,
  { path, before, after, folders = [] }: Entry,
): Promise<Omit<Undone, 'path'>> {
  const reach = { paths: [path] }
  const now = await loadFile(files, path, reach)
  const hash = now ? hashOf(now.bytes) : null
  if (hash === before) return { status: 'unchanged' }
  if (!now) return refused('it is gone by now')
  if (hash !== after) return refused('it was changed since by someone else')
  if (before === null) {
    await files.remove(path, { ...reach, before: now.facts, folders: [...folders].reverse() })
    return { status: 'removed' }
  }
  const bytes = await blobs.get(before)
  if (!bytes) return refused('its former state is no longer kept')
  await files.replace(path, bytes, { ...reach, before: now.facts })
  return { status: 'restored' }
}

function refused(why: string): Omit<Undone, 'path'> {
  return { status: 'refused', why }
}
