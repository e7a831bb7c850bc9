import { checkText } from './options.ts'
import { answer, best, type ProtocolFor, protocolForName } from './protocol-for-name.ts'
import { everyProtocol } from './registry.ts'
import { templateScore, wordsIn } from './template-score.ts'

export type { ProtocolFor }

/**
 * The protocol that a model writes, by its name (as servers, hubs and files spell it) or by its chat template. It never guesses:
 * if the model is unknown or several protocols fit, there is none.
 */
export function protocolFor(model: string | { readonly chatTemplate: string }): ProtocolFor {
  if (typeof model === 'string') return protocolForName(model)
  checkText('chatTemplate', model?.chatTemplate)
  const { chatTemplate } = model
  const found = best(everyProtocol, (protocol) => templateScore(protocol, chatTemplate))
  if (found.length < 2) return answer(found)
  // A dialect shares its marks with another protocol: its prompt identifies it, and without that the other one is meant.
  const worded = best(found, (protocol) => wordsIn(protocol, chatTemplate))
  const likely = worded.length > 0 ? worded : found
  return answer(likely.length > 1 ? found.filter(({ dialect }) => !dialect) : likely)
}
