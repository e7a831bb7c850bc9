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
import { type EntryKind, kindOf } from './guarded.ts'
import { GUARDED_FILES } from './guarded-files.ts'

/** Something empty in a place where nothing is, so that nothing else can come to be there. */
export interface Placeholder {
  /** From a folder on. */
  readonly name: string
  readonly kind: 'file' | 'folder'
}

/** All that is ever made: no record makes us remove anything else. */
export const PLACEHOLDER_NAMES: ReadonlySet<string> = new Set(
  guardedPaths.held.flatMap((path) => {
    const parts = path.split('/')
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  }),
)

/** What it is known by. Undefined where there is none: no one can make one, or something else is there by now. */
export function makePlaceholder(folder: string, { name, kind }: Placeholder): string | undefined {
  const place = join(folder, name)
  try {
    if (kind === 'folder') mkdirSync(place)
    else writeFileSync(place, GUARDED_FILES.get(name) ?? '', { flag: 'wx' })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (DENIED_CODES.includes(code)) return undefined
    if (code !== 'EEXIST') throw error
  }
  return placeholderMark(folder, name)
}

/** What the system says where neither we nor a command can make anything. */
const DENIED_CODES: readonly string[] = ['EACCES', 'EPERM', 'EROFS']

/** What one is known by: it tells it from another in its place. Undefined where there is none that is still empty. */
export function placeholderMark(folder: string, name: string): string | undefined {
  const found = inspect(folder, name)
  return found?.isEmpty ? found.mark : undefined
}

/** What is in a place, whoever made it. */
export function inspect(
  folder: string,
  name: string,
): { readonly kind: EntryKind; readonly isEmpty: boolean; readonly mark: string } | undefined {
  const place = join(folder, name)
  try {
    const { ino, birthtimeNs } = lstatSync(place, { bigint: true })
    const kind = kindOf(place)
    return { kind, isEmpty: isPristine(place, name, kind), mark: `${ino} ${birthtimeNs}` }
  } catch {
    return undefined // There is nothing, or not any more.
  }
}

/** As a placeholder is: one that was killed, or is looked at, while it made a file has not written all of it. */
function isPristine(place: string, name: string, kind: EntryKind): boolean {
  const text = GUARDED_FILES.get(name)
  try {
    if (kind === 'folder') return readdirSync(place).length === 0
    return (
      kind === 'file' && text !== undefined && text.startsWith(readStart(place, text.length + 1))
    )
  } catch (error) {
    // Ours can be looked into.
    if (DENIED_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function readStart(file: string, length: number): string {
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
