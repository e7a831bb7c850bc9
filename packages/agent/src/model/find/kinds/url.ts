import { openAiCompatible } from '../../open-ai/open-ai-compatible.ts'
import { connectionOf } from '../connect-options.ts'
import { validModelName } from '../found-model.ts'
import { invalidReference } from './invalid-reference.ts'
import type { ModelKind } from './kind.ts'

/** A model at a URL: `http://127.0.0.1:8080/v1#name`. */
export const urlKind: ModelKind = {
  id: 'url',
  example: 'http://127.0.0.1:8080/v1#name',
  matches: (text) => /^https?:\/\//i.test(text),

  parse(text) {
    const { url, model } = partsOf(text)
    return `${url}#${model}`
  },

  async connect(reference, options) {
    const { key } = options
    const keyName = 'TOOLGLOT_API_KEY'
    return openAiCompatible({ ...connectionOf(options), ...partsOf(reference), key, keyName })
  },
}

function partsOf(given: string): { readonly url: string; readonly model: string } {
  const hash = given.indexOf('#')
  const url = hash < 0 ? given : given.slice(0, hash)
  const model = hash < 0 ? undefined : validModelName(given.slice(hash + 1))
  checkUrl(url, given)
  if (model === undefined) throw invalidReference(given, 'add #MODEL at the end of the URL')
  return { url, model }
}

/** Throws if a URL cannot be used, or has a password. */
export function checkUrl(url: string, given: string): void {
  if (!URL.canParse(url)) throw invalidReference(given, 'check the URL')
  const { username, password } = new URL(url)
  if (username || password)
    throw new TypeError(
      'expected a URL without a username or password: set TOOLGLOT_API_KEY instead',
    )
}
