import { invalidReference, type ModelKind } from '../../model/find/kinds/kind.ts'
import { ModelError } from '../../model/model-error.ts'
import { referencePath } from '../template-files.ts'

/**
 * A chat page in a real browser: `browser:site.json`. Only the user may reference it; a folder's
 * settings may not.
 */
export const browserKind: ModelKind = {
  id: 'browser',
  example: 'browser:site.json',
  matches: (text) => text.startsWith(PREFIX),

  parse(text, place) {
    const found = referencePath(text.slice(PREFIX.length).trim(), place)
    if ('problem' in found) throw invalidReference(text, `${found.problem}, as in ${this.example}`)
    return PREFIX + found.path
  },

  async connect(reference, { env, namedBy, idleTimeout, timeout, onProgress }) {
    if (namedBy === 'folder')
      throw new ModelError(
        'refused',
        `The settings of this folder select browser:… as the model, which would use a page that you are logged in to. Only you can choose that: use --model, TOOLGLOT_MODEL or your own settings.`,
      )
    // Loaded on demand, because few users need these modules.
    const [{ browserEnvironment, browserModel }, { readSite }] = await Promise.all([
      import('./browser-model.ts'),
      import('./site.ts'),
    ])
    const site = readSite(reference.slice(PREFIX.length))
    const limits = { idleTimeout, timeout }
    return browserModel({ ...browserEnvironment(env, site), ...limits, site, onProgress })
  },
}

const PREFIX = 'browser:'
