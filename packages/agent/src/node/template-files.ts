import type { TemplateFiles } from '../model/find/kinds/completion.ts'
import { invalidReference } from '../model/find/kinds/invalid-reference.ts'
import { ModelError } from '../model/model-error.ts'
import { decodeUtf8, readRegularFile } from '@toolglot/permissions/node/internal'
import { referencePath } from './reference-path.ts'

/** Template files on this machine. Relative paths start in the folder where the model was named. */
export const templateFiles: TemplateFiles = {
  resolve(path, place) {
    const found = referencePath(path, place)
    if ('problem' in found) throw invalidReference(path, found.problem)
    return found.path
  },

  read(path) {
    const content = readRegularFile(path, MAX_BYTES)
    const text = 'bytes' in content ? decodeUtf8(content.bytes) : undefined
    if (text !== undefined) return text.replace(/^\ufeff/, '')
    const reason =
      'missing' in content
        ? 'it does not exist'
        : 'reason' in content
          ? content.reason
          : 'it is not UTF-8'
    throw new ModelError(
      'refused',
      `Cannot read the template file ${path.slice(0, 200)}: ${reason}. Check the path.`,
    )
  },
}

/** The vocabulary is in other files, so a tokenizer_config.json is small; some list many added tokens. */
const MAX_BYTES = 8 << 20
