import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { guardedPaths } from '@toolglot/permissions/internal'
import { type Kind, kindOf } from './guarded.ts'
import { FILES } from './guarded-files.ts'

/** Something empty in a place where nothing is, so that nothing else can come to be there. */
export interface Placeholder {
  /** From a folder on. */
  readonly name: string
  readonly kind: 'file' | 'folder'
}

/** All that is ever made: no record makes us remove anything else. */
export const KNOWN: ReadonlySet<string> = new Set(
  guardedPaths.held.flatMap((path) => {
    const parts = path.split('/')
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  }),
)

/** What it is known by. Undefined where there is none: no one can make one, or something else is there by now. */
export function make(folder: string, { name, kind }: Placeholder): string | undefined {
  const place = join(folder, name)
  try {
    if (kind === 'folder') mkdirSync(place)
    else writeFileSync(place, FILES.get(name) ?? '', { flag: 'wx' })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (CLOSED.includes(code)) return undefined
    if (code !== 'EEXIST') throw error
  }
  return markOf(folder, name)
}

/** What the system says where neither we nor a command can make anything. */
const CLOSED: readonly string[] = ['EACCES', 'EPERM', 'EROFS']

/** What one is known by: it tells it from another in its place. Undefined where there is none that is still empty. */
export function markOf(folder: string, name: string): string | undefined {
  const found = lookAt(folder, name)
  return found?.isEmpty ? found.mark : undefined
}

/** What is in a place, whoever made it. */
export function lookAt(
  folder: string,
  name: string,
): { readonly kind: Kind; readonly isEmpty: boolean; readonly mark: string } | undefined {
  const place = join(folder, name)
  try {
    const { ino, birthtimeNs } = lstatSync(place, { bigint: true })
    const kind = kindOf(place)
    return { kind, isEmpty: isEmpty(place, name, kind), mark: `${ino} ${birthtimeNs}` }
  } catch {
    return undefined // There is nothing, or not any more.
  }
}

/** As a placeholder is: one that was killed, or is looked at, while it made a file has not written all of it. */
function isEmpty(place: string, name: string, kind: Kind): boolean {
  const text = FILES.get(name)
  try {
    if (kind === 'folder') return readdirSync(place).length === 0
    return kind === 'file' && text !== undefined && text.startsWith(startOf(place, text.length + 1))
  } catch (error) {
    // Ours can be looked into.
    if (CLOSED.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function startOf(file: string, length: number): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const bytes = Buffer.alloc(length)
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, length, 0))
  } finally {
    closeSync(handle)
  }
}

export function removeEmpty(folder: string, name: string): void {
  const place = join(folder, name)
  try {
    if (kindOf(place) === 'file') unlinkSync(place)
    else rmdirSync(place)
  } catch {
    // Someone else removed it, or put something in it: it is theirs now.
  }
}
