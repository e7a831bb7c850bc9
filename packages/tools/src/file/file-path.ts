import { isAbsolute, join, basename, dirname } from 'node:path'
import { z } from 'zod'
import type { FileSystemView } from '@toolglot/permissions'
import { ToolError } from '@toolglot/agent'
import { editDistance } from '@toolglot/permissions/internal'
import type { Files, AllowedPaths } from '../host/files.ts'
import { type MayShow, showableBelow } from '../search/place.ts'

/** The `file_path` parameter of all file tools. */
export const filePath: z.ZodString = z
  .string()
  .min(1)
  .describe('Path of the file, absolute or relative to the working directory.')

/** A path for messages: relative if it is inside the working directory, else absolute. */
export function displayName(path: string, { cwd }: FileSystemView): string {
  const absolute = isAbsolute(path) ? path : join(cwd, path)
  return absolute.startsWith(`${cwd}/`) ? absolute.slice(cwd.length + 1) : absolute
}

/** The error for a missing file. It suggests similar names, if they may be shown. */
export async function missingFile(
  files: Files,
  path: string,
  { mayShow, ...reach }: AllowedPaths & { readonly mayShow?: MayShow | undefined },
): Promise<ToolError> {
  const folder = dirname(path)
  const names = (await namesIn(files, folder, reach))?.filter(
    showableBelow(folder, folder, mayShow),
  )
  if (!names)
    return notFound(
      path,
      `File not found: ${path}. The folder ${folder} does not exist either.`,
      [],
    )
  const similar = similarNames(basename(path), names).map((name) =>
    folder === '.' ? name : `${folder}/${name}`,
  )
  const suggestion = similar.length > 0 ? `. Did you mean ${similar.join(', or ')}?` : ''
  return notFound(path, `File not found: ${path}${suggestion}`, similar)
}

/** The names in a folder; undefined if the folder doesn't exist. */
async function namesIn(
  files: Files,
  folder: string,
  { paths }: AllowedPaths,
): Promise<string[] | undefined> {
  try {
    // Without `paths`, only names in the workspace are listed, even if a file elsewhere was
    // permitted.
    return (await files.list(folder)).map(({ name }) => name)
  } catch {
    // The folder is missing or unreadable, so there is nothing to suggest.
    return paths ? [] : undefined
  }
}

function notFound(path: string, message: string, similar: readonly string[]): ToolError {
  return new ToolError('not_found', message, { code: 'no_such_file', path, similar })
}

/**
 * Names similar to a missing name, most likely first. Unlike `nearest` in the permissions package,
 * it ignores Unicode form, quotes and separators, and accepts prefixes: file names vary more than
 * keys and tool names.
 */
function similarNames(name: string, names: readonly string[], max = 3): string[] {
  const wanted = normalize(name)
  return names
    .map((each) => ({ each, distance: relativeDistance(wanted, normalize(each)) }))
    .filter(({ distance }) => distance <= 0.4)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, max)
    .map(({ each }) => each)
}

/** Removes differences of case, Unicode form, curly quotes, whitespace, `_` and `-`. */
function normalize(name: string): string {
  return name
    .slice(0, 255)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\s_-]+/g, '-')
}

/** From 0 (equal) to 1 (nothing in common). */
function relativeDistance(one: string, other: string): number {
  if (one === other) return 0
  const shorter = Math.min(one.length, other.length)
  if (shorter >= 3 && (one.startsWith(other) || other.startsWith(one))) return 0.2
  const longer = Math.max(one.length, other.length)
  if (longer - shorter > longer * 0.4) return 1
  return editDistance(one, other) / longer
}
