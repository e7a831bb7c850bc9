import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { z } from 'zod'
import { idOf } from './protected-entry.ts'

/** A protected file or folder that a command created and that was moved out of the workspace. */
export interface MovedAside {
  readonly id: string
  /** The entry's path in the workspace. */
  readonly path: string
  /** The entry's current path. */
  readonly at: string
  readonly why: string
  /** The time, in milliseconds since 1970. */
  readonly time: number
}

const shape = z.object({
  path: z.string(),
  at: z.string(),
  why: z.string(),
  time: z.number(),
})

/** The folder for files moved aside, in a state folder. */
export const asideFolder = (state: string): string => join(state, 'aside')

/**
 * Moves a file or folder out of a root, into `store`. If `store` is on another disk or isn't
 * writable, the file is only renamed: a running command could still change it, so it can't be
 * copied yet.
 */
export async function moveAside(
  path: string,
  root: string,
  why: string,
  store: string,
): Promise<MovedAside> {
  const id = randomBytes(4).toString('hex')
  const folder = join(store, id)
  return await withFolder(dirname(path), root, async (around) => {
    const from = rawPath(around, basename(path))
    const item = { id, path, why, time: Date.now(), at: join(folder, ITEM) }
    const move = (to: string): void => {
      try {
        renameSync(from, to)
      } catch (error) {
        // A command may have made the folder around it, or the folder itself, inaccessible.
        if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
        makeOpen(`${around}/.`)
        makeOpen(from)
        renameSync(from, to)
      }
    }
    try {
      makeFolder(folder)
      // Recorded first: otherwise, it would be missing from lists if the disk is full.
      record(folder, item)
      move(item.at)
      return item
    } catch (error) {
      if (isGone(error)) {
        rmSync(folder, { recursive: true, force: true })
        throw error
      }
      const renamed = { ...item, at: join(dirname(path), ASIDE_PREFIX + id) }
      move(`${around}/${ASIDE_PREFIX}${id}`)
      return tryRecord(folder, renamed)
    }
  })
}

/**
 * Moves a file or folder that was only renamed into `store`. No command may be running. If that
 * fails, it remains in place.
 */
export async function bringIntoStore(item: MovedAside, store: string): Promise<void> {
  const folder = join(store, item.id)
  const at = join(folder, ITEM)
  try {
    makeFolder(folder)
    await cp(item.at, at, AS_IT_IS)
    record(folder, { ...item, at })
  } catch {
    await rm(at, { recursive: true, force: true })
    return
  }
  await rm(item.at, { recursive: true, force: true })
}

/** Makes a folder writable for us, unless the path is a link or a file. */
function makeOpen(path: string | Buffer): void {
  let handle: number
  try {
    handle = openSync(path, FOLDER)
  } catch {
    return // It is not a folder.
  }
  try {
    const { mode } = fstatSync(handle)
    if ((mode & 0o300) !== 0o300) chmodSync(`/proc/self/fd/${handle}`, (mode & 0o7777) | 0o300)
  } finally {
    closeSync(handle)
  }
}

/** The path of an entry, even if its name isn't UTF-8. */
function rawPath(folder: string, name: string): Buffer {
  const raw = name.includes('\ufffd')
    ? readdirSync(folder, { encoding: 'buffer' })
        .filter((each) => each.toString() === name)
        .sort((one, other) => Number(isUtf8(one)) - Number(isUtf8(other)))[0]
    : undefined
  return Buffer.concat([Buffer.from(`${folder}/`), raw ?? Buffer.from(name)])
}

const ITEM = 'item'
const COPY = 'copy'
const ABOUT = 'about.json'
/** The prefix of a file that could only be renamed. */
const ASIDE_PREFIX = '.toolglot-aside-'
const RENAMED = /^\.toolglot-aside-([0-9a-f]{8})$/
/** A folder with one file per item that a user put back. The file contains the item's identity. */
const RESTORED = 'restored'

/** Copies all entries except pipes and sockets, unchanged. */
const AS_IT_IS = {
  recursive: true,
  verbatimSymlinks: true,
  preserveTimestamps: true,
  filter: (path: string): boolean => {
    const found = lstatSync(path)
    return !found.isFIFO() && !found.isSocket()
  },
} as const

function record(folder: string, item: MovedAside): MovedAside {
  const { id: _, ...about } = item
  writeFileSync(join(folder, ABOUT), JSON.stringify(about), { mode: 0o600 })
  return item
}

function tryRecord(folder: string, item: MovedAside): MovedAside {
  try {
    return record(folder, item)
  } catch {
    return item // The disk is full.
  }
}

/**
 * Calls `use` with a path to a folder that, on Linux, can't change its target, even if folders are
 * renamed during the call: every folder in the path is opened without following links.
 */
async function withFolder<Result>(
  folder: string,
  root: string,
  use: (at: string) => Promise<Result>,
): Promise<Result> {
  if (process.platform !== 'linux') return await use(folder)
  let handle = openSync(root, FOLDER)
  try {
    for (const name of relative(root, folder).split('/').filter(Boolean)) {
      const next = openSync(`/proc/self/fd/${handle}/${name}`, FOLDER)
      closeSync(handle)
      handle = next
    }
    return await use(`/proc/self/fd/${handle}`)
  } finally {
    closeSync(handle)
  }
}

/** Linux's O_PATH, which Node doesn't define: the folder needn't be readable. */
const O_PATH = 0o10000000
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Restores a link that a command removed. */
export async function restoreLink(path: string, root: string, target: string): Promise<void> {
  await withFolder(dirname(path), root, async (around) =>
    symlinkSync(target, `${around}/${basename(path)}`),
  )
}

/** Makes a folder readable again after a command made it inaccessible. */
export async function makeReadable(path: string, root: string): Promise<void> {
  await withFolder(path, root, async (at) => chmodSync(at, (statSync(at).mode & 0o777) | 0o500))
}

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')

/** All items moved aside, the oldest first. */
export function listMovedAside(store: string): MovedAside[] {
  return namesIn(store)
    .flatMap((id): MovedAside[] => {
      const about = readAbout(join(store, id, ABOUT))
      const isThere = about && lstatSync(about.at, { throwIfNoEntry: false })
      return isThere ? [{ id, ...about }] : []
    })
    .sort((one, other) => one.time - other.time)
}

/** True if a path belongs to a file or folder that could only be renamed. */
export function isRenamedAside(path: string, store: string): boolean {
  const [, id] = RENAMED.exec(basename(path)) ?? []
  return id !== undefined && readAbout(join(store, id, ABOUT))?.at === path
}

/** A copy of a file or folder that can be put back. */
export interface Restoration {
  /** The path of the copy. Commands may be able to change the original through another name. */
  readonly at: string
  /**
   * Puts the copy in the original place. Throws if another file is there now, or if a parent folder
   * is now a link.
   */
  putBack(): Promise<void>
  cancel(): Promise<void>
}

/** Copies a file or folder that was moved aside, for review and for putting it back. */
export async function prepareRestore(item: MovedAside, store: string): Promise<Restoration> {
  const { id, at, path } = item
  const folder = join(store, id)
  // A pipe has no content.
  const copy = lstatSync(at).isFIFO() ? at : join(folder, COPY)
  const cancel = async (): Promise<void> => {
    if (copy !== at) await rm(copy, { recursive: true, force: true })
  }
  const note = join(store, RESTORED, id)
  const restored = (place: string): void => {
    makeFolder(dirname(note))
    writeFileSync(note, idOf(lstatSync(place)), { mode: 0o600 })
  }
  await cancel()
  try {
    makeFolder(folder)
    if (copy !== at) await cp(at, copy, AS_IT_IS)
  } catch (error) {
    await cancel()
    throw error
  }
  return {
    at: copy,
    cancel,
    async putBack() {
      try {
        await withFolder(dirname(path), '/', async (around) => {
          const place = `${around}/${basename(path)}`
          if (lstatSync(place, { throwIfNoEntry: false }))
            throw new Error(`${path} exists. Move it elsewhere first`)
          try {
            // Recorded first: otherwise, a guard would move it aside again if a command runs now.
            restored(copy)
            await rename(copy, place).catch(async (error: NodeJS.ErrnoException) => {
              if (error.code !== 'EXDEV') throw error
              await cp(copy, place, AS_IT_IS)
              restored(place)
            })
          } catch (error) {
            rmSync(note, { force: true })
            throw error
          }
        })
      } finally {
        await cancel()
      }
      for (const each of [at, folder]) await rm(each, { recursive: true, force: true })
    },
  }
}

/** The identities of items put back recently. */
export function restoredIds(store: string): Set<string> {
  const folder = join(store, RESTORED)
  return new Set(namesIn(folder).flatMap((id) => readSmallFile(join(folder, id)) ?? []))
}

/** Removes old records of items that were put back. */
export function forgetRestored(store: string): void {
  for (const id of namesIn(join(store, RESTORED))) {
    const file = join(store, RESTORED, id)
    const { mtimeMs = 0 } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > DAY) rmSync(file, { force: true })
  }
}

/** The length of a day, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

function readAbout(file: string): z.infer<typeof shape> | undefined {
  try {
    return shape.safeParse(JSON.parse(readSmallFile(file) ?? '')).data
  } catch {
    return undefined // The record is being written, or isn't ours.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // No item was moved aside yet.
  }
}
