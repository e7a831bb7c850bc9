import { isInside, upwards } from '../inside.ts'
import { decodeUtf8, readRegularFile } from '@toolglot/agent/internal'
import { writeWhole } from '../write-whole.ts'

/** A folder that a person trusted. */
export interface TrustedFolder {
  /** Its real path. */
  readonly folder: string
  /** Of what they were shown; and of it without another program's settings, where those were shown too. */
  readonly digests: readonly string[]
  readonly time: string
}

/** The folders that are trusted: none, where the list cannot be read or where others may have written it. */
export function trustedFolders(file: string): TrustedFolder[] {
  return readStore(file).folders
}

/** The entry that covers a folder: its own, or that of the nearest folder around it. Home and what is around it cover only themselves. */
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

/** Remembers that a person trusts a folder. */
export function addTrust(file: string, entry: TrustedFolder): void {
  const others = sound(file).filter(({ folder }) => folder !== entry.folder)
  writeStore(file, [...others, entry])
}

/** Forgets a folder and what is in it; gives those that are forgotten. */
export function removeTrust(file: string, folder: string): TrustedFolder[] {
  const all = sound(file)
  const removed = all.filter((entry) => isInside(entry.folder, folder))
  if (removed.length > 0)
    writeStore(
      file,
      all.filter((entry) => !removed.includes(entry)),
    )
  return removed
}

interface Store {
  readonly folders: TrustedFolder[]
  /** Why it cannot be used. */
  readonly problem?: string
}

function readStore(file: string): Store {
  const content = readRegularFile(file, 4 << 20)
  if ('missing' in content) return { folders: [] }
  if ('reason' in content) return { folders: [], problem: content.reason }
  const { mode, uid } = content.status
  if (mode & 0o022 || (process.getuid && uid !== process.getuid()))
    return { folders: [], problem: 'others may write to it' }
  const folders = parse(decodeUtf8(content.bytes))
  return folders ? { folders } : { folders: [], problem: 'it is not what was written there' }
}

/** The folders of a list that may be written again: nothing is lost because it could not be read. */
function sound(file: string): TrustedFolder[] {
  const { folders, problem } = readStore(file)
  if (problem) throw new Error(`${file} cannot be used: ${problem}. Mend it or remove it.`)
  return folders
}

function parse(text: string | undefined): TrustedFolder[] | undefined {
  try {
    const { folders } = JSON.parse(text ?? '') as { folders?: unknown }
    return Array.isArray(folders) && folders.every(isEntry) ? folders : undefined
  } catch {
    // Not JSON, or null.
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
