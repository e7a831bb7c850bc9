import { parseEndpoint } from '../../http/endpoint.ts'
import { errorTextOf } from '../../http/reply-errors.ts'
import { modelServer } from '../../http/model-server.ts'
import { readWholeText } from '../../http/read-text.ts'
import { ModelError } from '../../model-error.ts'
import { namesIn, openAiCompatible } from '../../open-ai/open-ai-compatible.ts'
import { timeLimit } from '../../../time/time-limit.ts'
import { connectionOf, invalidReference, type ModelKind } from './kind.ts'
import { validModelName } from '../local-server.ts'
import { unknownModel } from './named-model.ts'

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
    return openAiCompatible({
      ...connectionOf(options),
      ...partsOf(reference),
      key,
      keyName,
    })
  },

  async verify(reference, { key, fetch = globalThis.fetch, signal }) {
    const { url, model } = partsOf(reference)
    const endpoint = parseEndpoint(url)
    const server = modelServer({ endpoint, name: 'the server', model }, { key, fetch })
    const limit = timeLimit(LIST_TIMEOUT, signal)
    try {
      const response = await server.send('models', { signal: limit.signal })
      if (!response.ok) throw server.failure(response, await errorTextOf(response))
      const names = namesIn(JSON.parse(await readWholeText(response, 4 << 20)))
      if (names && names.length > 0 && !names.includes(model))
        throw new ModelError(
          'refused',
          unknownModel(`The server at ${endpoint.display}`, model, names),
        )
      return undefined
    } catch (error) {
      if (error instanceof ModelError && (error.problem === 'unreachable' || error.status === 404))
        return `${error.message} So the name could not be checked.`
      if (error instanceof ModelError) throw error
      // The response is not JSON or is too slow. The chat API may still work.
      return `${endpoint.display} does not list its models, so the name could not be checked.`
    } finally {
      limit.end()
    }
  },
}

const LIST_TIMEOUT = 5000

function partsOf(given: string): { readonly url: string; readonly model: string } {
  const hash = given.indexOf('#')
  const url = hash < 0 ? given : given.slice(0, hash)
  const model = hash < 0 ? undefined : validModelName(given.slice(hash + 1))
  checkUrl(url, given)
  if (model === undefined) throw invalidReference(given, 'Add #MODEL at the end of the URL')
  return { url, model }
}

/** Throws if a URL is invalid or contains a password. */
export function checkUrl(url: string, given: string): void {
  if (!URL.canParse(url)) throw invalidReference(given, 'Check the URL')
  const { username, password } = new URL(url)
  if (username || password)
    throw new TypeError(
      'The URL must not contain a username or password: set TOOLGLOT_API_KEY instead',
    )
}
