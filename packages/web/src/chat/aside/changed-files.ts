import type { CallPart } from '@toolglot/react/view'
import { countLines } from '../calls/edit-lines.ts'

/** A file that a run changed. */
export interface ChangedFile {
  readonly path: string
  /** The path from the folder of the run, if it is in there. */
  readonly shortPath: string
  readonly added: number
  readonly removed: number
}

/** Puts the changes of each file together. */
export function changedFiles(
  changes: readonly { readonly path: string; readonly call?: string | undefined }[],
  folder: string | undefined,
  findCall: (id: string) => CallPart | undefined,
): readonly ChangedFile[] {
  const files = new Map<string, { added: number; removed: number }>()
  for (const { path, call } of changes) {
    const file = files.get(path) ?? { added: 0, removed: 0 }
    const args = call === undefined ? undefined : findCall(call)?.call?.args
    const lines = args && countLines(args)
    file.added += lines?.added ?? 0
    file.removed += lines?.removed ?? 0
    files.set(path, file)
  }
  return [...files].map(([path, lines]) => ({ path, shortPath: shorten(path, folder), ...lines }))
}

function shorten(path: string, folder: string | undefined): string {
  if (folder === undefined || !path.startsWith(folder)) return path
  const rest = path.slice(folder.length)
  return /^[/\\]./.test(rest) ? rest.slice(1) : path
}
