import { readTextFile } from '@toolglot/permissions/node/internal'
import { isInside, upwards } from '../inside.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'
import { writeWhole } from '../write-whole.ts'

/** A folder trusted by the user. */
export interface TrustedFolder {
  /** The folder's real path. */
  readonly folder: string
  /**
   * Digests of the trusted content: without another program's settings, and with them if they were
   * included.
   */
  readonly digests: readonly string[]
  readonly time: string
}

/**
 * The trusted folders. Empty if the list cannot be read or if other users could have written it.
 */
export function trustedFolders(file: string): TrustedFolder[] {
  return readStore(file).folders
}

/**
 * The entry for a folder or its nearest trusted parent. Entries for the home folder and its parents
 * cover only these folders themselves.
 */
export function trustOf(
  folder: string,
  { file, home }: { readonly file: string; readonly home: string },
): TrustedFolder | undefined {
  const entries = new Map(trustedFolders(file).map((entry) => [entry.folder, entry]))
  for (const at of upwards(folder)) {
    const entry = entries.get(at)
    if (entry && (at === folder || !isInside(home, at))) return entry
  }
  return undefined
}

/** Records that the user trusts a folder. Throws a UserError if the list cannot be changed. */
export function addTrust(file: string, entry: TrustedFolder): void {
  change(file, (all) => [...all.filter(({ folder }) => folder !== entry.folder), entry])
}

/**
 * Removes a folder and all folders inside it. Returns the removed entries. Throws a UserError if
 * the list cannot be changed.
 */
export function removeTrust(file: string, folder: string): TrustedFolder[] {
  let removed: TrustedFolder[] = []
  change(file, (all) => {
    removed = all.filter((entry) => isInside(entry.folder, folder))
    return removed.length > 0 ? all.filter((entry) => !removed.includes(entry)) : all
  })
  return removed
}

function change(file: string, edit: (all: TrustedFolder[]) => TrustedFolder[]): void {
  try {
    const before = sound(file)
    const after = edit(before)
    if (after !== before) writeStore(file, after)
  } catch (error) {
    // An unreadable list, or a disk that cannot be written.
    const reason = visibleLine(error instanceof Error ? error.message : String(error))
    throw new UserError('data', `Cannot change the list of trusted folders: ${reason}`)
  }
}

interface Store {
  readonly folders: TrustedFolder[]
  /** The reason why the list cannot be used. */
  readonly problem?: string
}

function readStore(file: string): Store {
  const content = readTextFile(file, 4 << 20)
  if ('missing' in content) return { folders: [] }
  if ('reason' in content) return { folders: [], problem: content.reason }
  const { mode, uid } = content.status
  if (mode & 0o022 || (process.getuid && uid !== process.getuid()))
    return { folders: [], problem: 'other users can write to it' }
  const folders = parse(content.text)
  return folders ? { folders } : { folders: [], problem: 'it is not a valid list' }
}

/**
 * The folders in a list that can be rewritten. Throws for an unreadable list, so that it is never
 * overwritten.
 */
function sound(file: string): TrustedFolder[] {
  const { folders, problem } = readStore(file)
  if (problem) throw new Error(`${file} is unusable: ${problem}. Fix it or remove it.`)
  return folders
}

function parse(text: string): TrustedFolder[] | undefined {
  try {
    const { folders } = JSON.parse(text) as { folders?: unknown }
    return Array.isArray(folders) && folders.every(isEntry) ? folders : undefined
  } catch {
    // The content is not JSON, or it is null.
    return undefined
  }
}

function isEntry(value: unknown): value is TrustedFolder {
  const { folder, digests, time } = (value ?? {}) as Partial<Record<string, unknown>>
  const texts: unknown[] = Array.isArray(digests) ? [folder, time, ...digests] : [undefined]
  return texts.every((part) => typeof part === 'string')
}

function writeStore(file: string, folders: readonly TrustedFolder[]): void {
  writeWhole(file, `${JSON.stringify({ folders }, null, 2)}\n`)
}
