import { ModelError } from '../../model-error.ts'
import { openAiCompatible } from '../../open-ai/open-ai-compatible.ts'
import { connectionOf, type ModelKind } from './kind.ts'
import { keyVariable, providers, providerUrl } from '../providers.ts'
import { namedModel } from './named-model.ts'

/** A model of a paid service: `openai/gpt-5-mini`. */
export const providerKind: ModelKind = {
  id: 'provider',
  example: 'openai/gpt-5-mini',
  isPaid: true,
  matches: (text) => providers.some(({ id }) => text === id || text.startsWith(`${id}/`)),
  parse: (text) => namedModel(text).reference,

  async connect(reference, options) {
    const { provider: id, model } = namedModel(reference)
    const { env } = options
    const provider = providers.find((each) => each.id === id)!
    const keyName = keyVariable(provider, env)
    if (keyName === undefined)
      throw new ModelError(
        'refused',
        `${provider.name} needs a key: set ${provider.variables.join(' or ')}.`,
      )
    const url = providerUrl(provider, env)
    // A different URL may lead to any server.
    const isItself = url === provider.url
    return openAiCompatible({
      ...(isItself && provider.images?.test(model) && { images: true }),
      ...(isItself && provider.laterSystem && { laterSystem: true }),
      native: true,
      ...connectionOf(options),
      url,
      model,
      provider: provider.name,
      key: env[keyName],
      keyName,
    })
  },
}
