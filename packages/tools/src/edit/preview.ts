import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import { loadFile } from '../file/load.ts'
import { toLf } from '../file/line-ends.ts'
import { textFileOf } from '../file/text-file.ts'
import { displayName } from '../file/display-name.ts'
import type { AllowedPaths, Files } from '../host/files.ts'
import { applyMatches, flatten } from './apply-matches.ts'
import { unifiedDiff } from './diff.ts'
import { findMatches } from './find-matches.ts'

/**
 * The unified diff that a call of Write or Edit would make. Undefined if that is unknown, for example because the file is not
 * text. Nothing is changed.
 */
export async function previewChange(
  { files, fileSystem }: { readonly files: Files; readonly fileSystem: FileSystemView },
  args: Readonly<Record<string, unknown>>,
  reach: AllowedPaths = {},
): Promise<string | undefined> {
  const { file_path: named, content, old_string: old, new_string: replacement } = args
  // What was judged is shown, whatever the working directory is by now.
  const path = reach.paths?.length === 1 ? reach.paths[0] : named
  if (typeof path !== 'string') return undefined
  try {
    const loaded = await loadFile(files, path, reach)
    const before = loaded ? toLf(textFileOf(loaded).text) : ''
    const after =
      typeof content === 'string'
        ? toLf(content)
        : typeof old === 'string' && typeof replacement === 'string'
          ? edited(before, toLf(old), toLf(replacement), args['replace_all'])
          : undefined
    return after === undefined
      ? undefined
      : unifiedDiff(before, after, displayName(path, fileSystem))
  } catch (error) {
    // The file cannot be read or is too large: the tool itself will report that.
    if (error instanceof ToolError) return undefined
    throw error
  }
}

function edited(text: string, old: string, replacement: string, all: unknown): string | undefined {
  if (old === '') return text === '' ? replacement : undefined
  const { matches } = findMatches(text, { old, replacement }, all === true)
  if (matches.length === 0 || (matches.length > 1 && all !== true)) return undefined
  return applyMatches(text, flatten(text), matches)
}
