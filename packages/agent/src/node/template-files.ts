import type { TemplateFiles } from '../model/find/kinds/completion.ts'
import { invalidReference } from '../model/find/kinds/invalid-reference.ts'
import { ModelError } from '../model/model-error.ts'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { referencePath } from './reference-path.ts'

/** Template files on this machine. Relative paths start in the folder where the model was named. */
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

/** The vocabulary is in other files, so a tokenizer_config.json is small; some list many added tokens. */
const MAX_BYTES = 8 << 20
