import { isAbsolute, resolve } from 'node:path'
import { readTextFile } from '@toolglot/permissions/node/internal'
import type { TemplateFiles } from '../model/find/kinds/completion.ts'
import { invalidReference, type ReferencePlace } from '../model/find/kinds/kind.ts'
import { ModelError } from '../model/model-error.ts'

/** The absolute path of a file in a model reference, or the reason why it is invalid. */
export function referencePath(
  given: string,
  { cwd, home }: ReferencePlace,
): { readonly path: string } | { readonly problem: string } {
  if (given.trim() === '') return { problem: 'Add the path of the file' }
  if (given.includes('\0')) return { problem: 'Remove the null character' }
  const isInHome = /^~[/\\]/.test(given)
  const start = isInHome ? home : isAbsolute(given) ? '' : cwd
  if (start === undefined) return { problem: 'Write the absolute path' }
  return { path: resolve(start, isInHome ? given.slice(2) : given) }
}

/** Template files on this machine. Paths are relative to the folder of the reference. */
export const templateFiles: TemplateFiles = {
  resolve(path, place) {
    const found = referencePath(path, place)
    if ('problem' in found) throw invalidReference(path, found.problem)
    return found.path
  },

  read(path) {
    const content = readTextFile(path, MAX_BYTES)
    if ('text' in content) return content.text.replace(/^\ufeff/, '')
    const reason = 'missing' in content ? 'it does not exist' : content.reason
    throw new ModelError(
      'refused',
      `Cannot read the template file ${path.slice(0, 200)}: ${reason}. Check the path.`,
    )
  },
}

/**
 * A tokenizer_config.json is usually small, because the vocabulary is in other files, but some list
 * many added tokens.
 */
const MAX_BYTES = 8 << 20
