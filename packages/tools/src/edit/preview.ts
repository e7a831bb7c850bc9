import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import { loadFile } from '../file/load.ts'
import { withoutReturns } from '../file/line-ends.ts'
import { textFileOf } from '../file/text-file.ts'
import { nameFor } from '../file/where.ts'
import type { Files, AllowedPaths } from '../host/files.ts'
import { applyMatches, flatten } from './apply.ts'
import { unifiedDiff } from './diff.ts'
import { findMatches } from './match.ts'

/**
 * What a call would change in a file, as a unified diff of the file as it is now: a whole new content, or a text in the
 * place of another. Undefined where that cannot be told, as for a file that is not text; nothing is changed.
 */
export async function previewChange(
  { files, fileSystem }: { readonly files: Files; readonly fileSystem: FileSystemView },
  args: Readonly<Record<string, unknown>>,
  reach: AllowedPaths = {},
): Promise<string | undefined> {
  const { file_path: path, content, old_string: old, new_string: replacement } = args
  if (typeof path !== 'string') return undefined
  try {
    const loaded = await loadFile(files, path, reach)
    const before = loaded ? withoutReturns(textFileOf(loaded).text) : ''
    const after =
      typeof content === 'string'
        ? withoutReturns(content)
        : typeof old === 'string' && typeof replacement === 'string'
          ? edited(before, withoutReturns(old), withoutReturns(replacement), args['replace_all'])
          : undefined
    return after === undefined ? undefined : unifiedDiff(before, after, nameFor(path, fileSystem))
  } catch (error) {
    // It cannot be read, or is too large: the tool itself will say so.
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
