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

/** An empty file or folder at a missing path, so that nothing else can be created there. */
export interface Placeholder {
  /** Relative to the guarded folder. */
  readonly name: string
  readonly kind: 'file' | 'folder'
}

/** All possible names of placeholders. Nothing else is ever removed, whatever a record says. */
export const PLACEHOLDER_NAMES: ReadonlySet<string> = new Set(
  guardedPaths.held.flatMap((path) => {
    const parts = path.split('/')
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  }),
)

/** Creates a placeholder and returns its mark; undefined if nobody can create one, or something else is there. */
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

/** Error codes for paths where neither we nor a command can create anything. */
const DENIED_CODES: readonly string[] = ['EACCES', 'EPERM', 'EROFS']

/** The mark of a placeholder, which distinguishes it from a later one. Undefined if there is none that is still empty. */
export function placeholderMark(folder: string, name: string): string | undefined {
  const found = inspect(folder, name)
  return found?.isEmpty ? found.mark : undefined
}

/** What is at a path, whoever created it. */
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
    return undefined // Missing.
  }
}

/** Whether it looks like a placeholder, possibly one that is only partly written. */
function isPristine(place: string, name: string, kind: EntryKind): boolean {
  const text = GUARDED_FILES.get(name)
  try {
    if (kind === 'folder') return readdirSync(place).length === 0
    return (
      kind === 'file' && text !== undefined && text.startsWith(readStart(place, text.length + 1))
    )
  } catch (error) {
    // Ours are readable.
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

/** Removes a placeholder, if it is still empty. */
export function removeEmpty(folder: string, name: string): void {
  const place = join(folder, name)
  try {
    if (kindOf(place) === 'file') unlinkSync(place)
    else rmdirSync(place)
  } catch {
    // Someone else has removed it or put something in it.
  }
}
