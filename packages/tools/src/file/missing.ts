import { basename, dirname } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { Files, AllowedPaths } from '../host/files.ts'
import { type MayShow, showableBelow } from '../search/place.ts'
import { similarNames } from './similar.ts'

/** What is said of a file that is not there: with the names that may have been meant, and may be shown. */
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
    return notFound(path, `File not found: ${path}. There is no folder ${folder} either.`, [])
  const similar = similarNames(basename(path), names).map((name) =>
    folder === '.' ? name : `${folder}/${name}`,
  )
  const meant = similar.length > 0 ? `. Did you mean ${similar.join(', or ')}?` : ''
  return notFound(path, `File not found: ${path}${meant}`, similar)
}

/** The names beside a file; undefined if there is no such folder. */
async function namesIn(
  files: Files,
  folder: string,
  { paths }: AllowedPaths,
): Promise<string[] | undefined> {
  try {
    // Whichever file was permitted: of names, only those of the workspace are told.
    return (await files.list(folder)).map(({ name }) => name)
  } catch {
    // No folder, or none that may be looked at: there is nothing to suggest.
    return paths ? [] : undefined
  }
}

function notFound(path: string, message: string, similar: readonly string[]): ToolError {
  return new ToolError('not_found', message, { code: 'no_such_file', path, similar })
}
