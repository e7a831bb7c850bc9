import { basename, dirname } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { Files, AllowedPaths } from '../host/files.ts'
import { type MayShow, showableBelow } from '../search/place.ts'
import { similarNames } from './similar-names.ts'

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

/** The names in a folder; undefined if there is no such folder. */
async function namesIn(
  files: Files,
  folder: string,
  { paths }: AllowedPaths,
): Promise<string[] | undefined> {
  try {
    // Without `paths`: even if a file elsewhere was permitted, only names in the workspace are listed.
    return (await files.list(folder)).map(({ name }) => name)
  } catch {
    // The folder is missing or may not be read: there is nothing to suggest.
    return paths ? [] : undefined
  }
}

function notFound(path: string, message: string, similar: readonly string[]): ToolError {
  return new ToolError('not_found', message, { code: 'no_such_file', path, similar })
}
