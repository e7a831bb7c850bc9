import type { Model } from '../model.ts'
import type { ConnectOptions } from './connect-options.ts'
import { kindOf, parseReference } from './reference.ts'

/** Connects to the model of a reference such as `ollama/qwen3:8b`, without sending it anything yet. */
export async function connectModel(text: string, options: ConnectOptions): Promise<Model> {
  const reference = parseReference(text, options)
  const model = await kindOf(reference, options.kinds).connect(reference, options)
  // If the server does not say, the person does.
  const { contextTokens = options.context } = model
  return { ...model, ...(contextTokens !== undefined && { contextTokens }), reference }
}

/**
 * Checks that the model of a reference exists, as far as that can be found out without asking it. Throws a ModelError if it
 * does not, and returns what could not be checked, for people.
 */
export async function verifyModel(
  text: string,
  options: ConnectOptions,
): Promise<string | undefined> {
  const reference = parseReference(text, options)
  const kind = kindOf(reference, options.kinds)
  if (kind.verify) return kind.verify(reference, options)
  await kind.connect(reference, options)
  return undefined
}
